package openai

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"autopilot/personas"
)

// onAndOn begins an answer and then repeats a part of it until nobody listens, or there is far more than an answer can be.
func onAndOn(begin, part string, sent *atomic.Int64) http.HandlerFunc {
	part = strings.Repeat(part, 1+100_000/len(part))
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, err := io.WriteString(w, begin)
		for err == nil && sent.Load() < 20*maxAnswer {
			_, err = io.WriteString(w, part)
			sent.Add(int64(len(part)))
		}
	}
}

const chunkOf = `data: {"choices":[{"index":0,"delta":{%s}}]}` + "\n\n"

// TestAnswerWithoutAnEndIsTheServersFault: no more is read than can be an answer, it is not asked for again, and no budget
// pays for what was never read.
func TestAnswerWithoutAnEndIsTheServersFault(t *testing.T) {
	many := strings.Repeat("x", 1000)
	for name, c := range map[string]struct {
		begin, part string
		whole       bool
		most        int64 // bytes that are read; 0: two answers
	}{
		"in one line":         {begin: `data: {"choices":[{"index":0,"delta":{"content":"`, part: many},
		"in pieces":           {part: fmt.Sprintf(chunkOf, `"content":"`+many+`"`)},
		"of thoughts":         {part: fmt.Sprintf(chunkOf, `"reasoning_content":"`+many+`"`)},
		"of a refusal":        {part: fmt.Sprintf(chunkOf, `"refusal":"`+many+`"`)},
		"of a call":           {part: fmt.Sprintf(chunkOf, `"tool_calls":[{"index":0,"id":"c","function":{"name":"n","arguments":"`+many+`"}}]`)},
		"of names of a call":  {part: fmt.Sprintf(chunkOf, `"tool_calls":[{"index":0,"id":"c","function":{"name":"`+many+`"}}]`)},
		"of calls":            {part: fmt.Sprintf(chunkOf, `"tool_calls":[{"id":"c"},{"id":"d"}]`), most: 10 * maxAnswer},
		"of what calls bring": {part: fmt.Sprintf(chunkOf, `"tool_calls":[{"index":0,"extra_content":{"a":"`+many+`"}}]`), most: 3 * maxAnswer},
		"of comments":         {part: ": " + many + "\n\n", most: 3 * maxAnswer},
		"of no lines":         {part: many},
		"not streamed":        {begin: `{"choices":[{"index":0,"message":{"content":"`, part: many, whole: true},
		"not streamed, lines": {begin: `{"choices":[`, part: "{\"index\":0},\n", whole: true, most: 3 * maxAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			s := serve(t, onAndOn(c.begin, c.part, &sent))
			m, _ := model(t, s, Options{NoStream: c.whole})
			_, used, err := ask(t, m)
			var end *personas.EndError
			if !errors.As(err, &end) || end.Kind != personas.Crashed || !strings.Contains(end.Detail, "the model's server failed: the answer is longer than 2 MB") || s.count() != 1 {
				t.Errorf("%v after %d requests", err, s.count())
			}
			s.Close()                // it has sent what it could
			const underWay = 6 << 20 // in the buffers of two sockets
			if most := max(c.most, 2*maxAnswer) + underWay; sent.Load() > most {
				t.Errorf("%d bytes were taken", sent.Load())
			}
			if used.InputTokens+used.OutputTokens > maxAnswer/bytesOfToken+1000 {
				t.Errorf("it is counted as %+v", used)
			}
		})
	}
}

// TestLongestAnswerIsTaken: 128,000 tokens, with all that servers write around them.
func TestLongestAnswerIsTaken(t *testing.T) {
	const pieces = 16_000
	for name, noStream := range map[string]bool{"streamed": false, "whole": true} {
		word := strings.Repeat("four", 8)
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			if noStream {
				fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"content":"%s"}}]}`, strings.Repeat(word, pieces))
				return
			}
			for i := range pieces {
				fmt.Fprintf(w, ": alive\nid: chatcmpl-%d\nevent: message\n"+chunkOf, i, `"content":"`+word+`"`)
			}
			fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", stopChunk)
		})
		m, _ := model(t, s, Options{NoStream: noStream})
		if got, _, err := ask(t, m); err != nil || len(got.Content) != pieces*len(word) {
			t.Errorf("%s: %d bytes, %v", name, len(got.Content), err)
		}
	}
}
