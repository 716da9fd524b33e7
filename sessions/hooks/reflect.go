package hooks

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// DefaultReflections is how often self-reflect-stop has an agent look its work over, where REFLECT_MAX_ITERATIONS says
// nothing else.
const DefaultReflections = 5

// settling is how long self-reflect-stop waits for the stop hook: agent programs run the hooks of an event at the same
// time, and it is the stop hook that finds the list finished.
const settling = 60 * time.Millisecond

// maxTranscript is how much of a transcript is searched for the first request, in bytes.
const maxTranscript = 1 << 20

// reflect has an agent whose list is done look its work over, so often as it is told to, and then takes the marker away.
// How often it did already stands in the folder for temporary files, for each session of the agent program.
func (h *Hooks) reflect(ctx context.Context, in Input, s Store) Answer {
	if in.SessionID == "" || !h.finished(ctx, s) {
		return Answer{}
	}
	most := DefaultReflections
	if n, err := strconv.Atoi(strings.TrimSpace(h.Getenv("REFLECT_MAX_ITERATIONS"))); err == nil {
		most = n
	}
	counter := filepath.Join(h.Temp, CounterName(in.SessionID))
	n := readCount(counter)
	if n >= most || writeCount(counter, n+1) != nil { // without a count it would never end
		_ = s.EndReflection() // a mark that stays asks again in another session, where the counter ends it as well
		return Answer{}
	}
	return Reflect(n+1, most, FirstRequest(beginning(in.TranscriptPath, maxTranscript)))
}

// finished says whether the list is done: nobody works on it any more, and the work is to be looked over.
func (h *Hooks) finished(ctx context.Context, s Store) bool {
	if !s.Active() {
		return s.Reflecting()
	}
	if list, err := s.Read(); err != nil || !list.Over() { // else the stop hook, if it runs beside, is about to find it finished
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, settling)
	defer cancel()
	for s.Active() || !s.Reflecting() {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(settling / 12):
		}
	}
	return true
}

// Reflect has an agent look its work over once more, for the nth time of most. The request is what it was asked for at
// first, or "".
func Reflect(n, most int, request string) Answer {
	var b strings.Builder
	fmt.Fprintf(&b, "[Self-Reflect] %d/%d: all tasks are done. Look the work over before you stop.\n", n, most)
	if request != "" {
		fmt.Fprintf(&b, "\nWhat you were asked for at first:\n%s\n", request)
	}
	b.WriteString("\n1. Is each thing that was asked for there, and complete?\n" +
		"2. Which edge cases and failures are not dealt with?\n" +
		"3. Is anything hard to read, slow or unsafe?\n" +
		"4. Are tests or documents missing?\n" +
		"5. Do all the changes fit each other and the project?\n" +
		"\nMend what you find. Where there is nothing, say in a few words what was done, and stop.")
	return block(b.String())
}

// maxRequest is how much of the first request an answer repeats, in characters.
const maxRequest = 2000

// FirstRequest finds what a user asked for first, in the beginning of a transcript of Claude Code (JSON lines).
func FirstRequest(transcript string) string {
	for l := range strings.Lines(transcript) {
		var entry struct {
			Type, Role string
			Content    json.RawMessage
			Message    struct{ Content json.RawMessage }
		}
		if json.Unmarshal([]byte(l), &entry) != nil || entry.Type != "user" && entry.Role != "user" {
			continue
		}
		content := entry.Content
		if content == nil {
			content = entry.Message.Content
		}
		if asked := strings.TrimSpace(spoken(content)); asked != "" {
			return cut(clip(asked, 8*maxRequest), maxRequest)
		}
	}
	return ""
}

// spoken is the text of a message: a string, or a list of blocks of which some hold text.
func spoken(content json.RawMessage) string {
	var whole string
	var blocks []json.RawMessage
	if json.Unmarshal(content, &whole) == nil {
		return whole
	}
	_ = json.Unmarshal(content, &blocks) // what is neither has no text
	var texts []string
	for _, b := range blocks {
		var block struct{ Text string }
		if json.Unmarshal(b, &block.Text) != nil && json.Unmarshal(b, &block) != nil || block.Text == "" {
			continue
		}
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n")
}
