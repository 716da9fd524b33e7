package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"autopilot/cmd/console"
	"autopilot/cmd/serve/sites"
)

// patience is how long a client may take to read what it was sent; then it has to come again.
const patience = 10 * time.Second

// events tells a session as it goes on, as server-sent events whose ids are revisions of the journal. Who comes again with the
// last one gets what it missed.
func (s *server) events(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	t := &teller{server: s, w: w, to: http.NewResponseController(w), after: seen.Revision}
	if last, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		t.after = last
	}
	w.Header().Set("Content-Type", "text/event-stream")
	t.follow(r.Context(), one)
	return nil
}

// follow tells until the client has gone, or the session can't be read.
func (t *teller) follow(ctx context.Context, one *sites.Site) {
	if t.write("retry: 2000\n\n") != nil {
		return
	}
	for ctx.Err() == nil {
		seen, err := one.Look(t.host.Now())
		if err != nil {
			text, _ := json.Marshal(map[string]string{"message": console.Clean(console.WithRemedy(err))})
			var last strings.Builder
			add(&last, "broken", t.after, t.sites.Masked(string(text)))
			_ = t.write(last.String())
			return
		}
		if t.tell(seen) != nil {
			return
		}
		_ = t.host.Pause(ctx, time.Second)
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
	begun bool
}

// tell says what is new since the last time.
func (t *teller) tell(seen sites.Sight) error {
	now, err := seen.Encoded()
	if err != nil {
		return err
	}
	var text strings.Builder
	if t.after > seen.Revision || t.after < seen.Dropped {
		t.after = seen.Revision // another journal, or more than is kept
		add(&text, "reset", t.after, "{}")
	}
	for _, line := range since(seen.Lines, t.after) {
		data, err := json.Marshal(line)
		if err != nil {
			return err
		}
		add(&text, "line", line.Rev, t.sites.Masked(string(data)))
	}
	changed := !t.begun || t.after != seen.Revision
	t.after, t.begun = seen.Revision, true
	t.quiet++
	if changed {
		add(&text, "session", t.after, now.Session)
		add(&text, "gate", t.after, now.Gate)
	}
	if changed || t.works != now.Works {
		t.works = now.Works
		add(&text, "now", t.after, now.Works)
	}
	switch {
	case text.Len() > 0:
	case t.quiet < 15:
		return nil
	default:
		text.WriteString(": still here\n\n")
	}
	t.quiet = 0
	return t.write(text.String())
}

// add adds an event, whose data is JSON without secrets.
func add(text *strings.Builder, event string, id int64, data string) {
	fmt.Fprintf(text, "event: %s\nid: %d\ndata: %s\n\n", event, id, data)
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
