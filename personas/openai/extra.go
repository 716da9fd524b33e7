package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"

	"autopilot/personas"
)

// extraKey is the field of a call that Gemini's endpoint fills with the signature of its thoughts, and wants back word
// for word: https://ai.google.dev/gemini-api/docs/thought-signatures. The library does not know it.
const extraKey = "extra_content"

// extra is that field of one call.
type extra struct {
	ID      string          `json:"id"`
	Index   *int            `json:"index"`
	Content json.RawMessage `json:"extra_content"`
}

// extrasIn reads them from an answer, or a piece of one.
func extrasIn(data []byte) (found []extra) {
	type calls struct {
		Calls []extra `json:"tool_calls"`
	}
	var answer struct {
		Choices []struct{ Delta, Message calls }
	}
	if json.Unmarshal(data, &answer) != nil {
		return nil
	}
	for _, choice := range answer.Choices {
		for i, call := range append(choice.Delta.Calls, choice.Message.Calls...) {
			if call.Index == nil {
				call.Index = &i
			}
			if len(call.Content) > 0 && string(call.Content) != "null" {
				found = append(found, call)
			}
		}
	}
	return found
}

// attach gives each call what came with it.
func attach(calls []personas.Call, extras []extra) {
	for _, e := range extras {
		for i := range calls {
			if e.ID != "" && e.ID == calls[i].ID || e.ID == "" && *e.Index == i {
				calls[i].Extra = string(e.Content)
			}
		}
	}
}

type extrasKey struct{}

// withExtras is a context in which the calls of a request are sent with what came with them.
func withExtras(ctx context.Context, messages []personas.Message) context.Context {
	extras := map[string]string{}
	for _, m := range messages {
		for _, call := range m.Calls {
			if call.Extra != "" {
				extras[call.ID] = call.Extra
			}
		}
	}
	if len(extras) == 0 {
		return ctx
	}
	return context.WithValue(ctx, extrasKey{}, extras)
}

// extraSender is a transport that writes them into the request. Within texts quotes are escaped, so that the beginning
// of a call cannot be met in one.
type extraSender struct{ next http.RoundTripper }

func (s extraSender) RoundTrip(r *http.Request) (*http.Response, error) {
	extras, _ := r.Context().Value(extrasKey{}).(map[string]string)
	if len(extras) == 0 || r.Body == nil {
		return s.next.RoundTrip(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for id, content := range extras {
		name, err := json.Marshal(id)
		if err != nil {
			return nil, err
		}
		begin := append(append([]byte(`{"id":`), name...), `,"type"`...)
		body = bytes.ReplaceAll(body, begin, append([]byte(`{"`+extraKey+`":`+content+`,`), begin[1:]...))
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return s.next.RoundTrip(r)
}
