package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"autopilot/cmd/console"
	"autopilot/cmd/serve/sites"
)

// patience is how long a client may take to read what it was sent; then it has to come again.
const patience = 10 * time.Second

// events tells a session as it goes on, as server-sent events whose ids are revisions of the journal. Who comes again with the
// last one gets what it missed.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	r.SetPathValue("id", r.URL.Query().Get("session"))
	one, seen, ok := s.seen(w, r)
	if !ok {
		return
	}
	t := &teller{server: s, w: w, to: http.NewResponseController(w), after: seen.Revision}
	if last, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		t.after = last
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if t.write("retry: 2000\n\n") != nil {
		return
	}
	for r.Context().Err() == nil {
		seen, err := one.Look(s.host.Now())
		if err != nil {
			_ = t.send("broken", t.after, map[string]string{"message": console.Clean(console.WithRemedy(err))})
			return
		}
		if t.tell(seen) != nil {
			return
		}
		_ = s.host.Pause(r.Context(), time.Second)
	}
}

// teller tells one client.
type teller struct {
	*server
	w     http.ResponseWriter
	to    *http.ResponseController
	after int64  // the revision that the client knows
	works string // what it knows to be running
	quiet int    // times that there was nothing to tell
	told  bool
}

// tell says what is new since the last time.
func (t *teller) tell(seen sites.Sight) error {
	if t.after > seen.Revision || t.after < seen.Dropped {
		t.after = seen.Revision // another journal, or more than is kept
		if err := t.send("reset", t.after, struct{}{}); err != nil {
			return err
		}
	}
	for _, line := range since(seen.Lines, t.after) {
		if err := t.send("line", line.Rev, line); err != nil {
			return err
		}
	}
	works, err := json.Marshal(seen.Works)
	if err != nil {
		return err
	}
	changed := !t.told || t.after != seen.Revision
	t.after, t.told = seen.Revision, true
	t.quiet++
	if changed {
		if err := t.send("session", t.after, seen.Session); err != nil {
			return err
		}
		if err := t.send("gate", t.after, seen.Gate); err != nil {
			return err
		}
	}
	if changed || t.works != string(works) {
		t.works = string(works)
		return t.send("now", t.after, seen.Works)
	}
	if t.quiet < 15 {
		return nil
	}
	t.quiet = 0
	return t.write(": still here\n\n")
}

func (t *teller) send(event string, id int64, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	t.quiet = 0
	return t.write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", event, id, t.sites.Masked(string(text))))
}

// write waits for a client no longer than patience.
func (t *teller) write(text string) error {
	if err := t.to.SetWriteDeadline(t.host.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := t.w.Write([]byte(text)); err != nil {
		return err
	}
	return t.to.Flush()
}
