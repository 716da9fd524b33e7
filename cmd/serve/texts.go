package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"autopilot/cmd/console"
	"autopilot/sessions"
)

// reading is the page of a text that belongs to a session: a plan, a diff.
type reading struct {
	page
	ID    string
	Lines []textLine
}

type textLine struct{ Class, Text string }

// plan shows the plan of a phase, by its place in the spec.
func (s *server) plan(w http.ResponseWriter, r *http.Request) {
	one, ok := s.find(w, r)
	if !ok {
		return
	}
	state, _, err := sessions.Read(one.w.Session, one.w.SessionOptions(r.Context()))
	if err != nil {
		s.broken(w, r, err)
		return
	}
	n, err := strconv.Atoi(r.PathValue("position"))
	if err != nil || n < 1 || n > len(state.Phases) {
		fail(w, r, http.StatusNotFound, "There is no such phase.")
		return
	}
	p := state.Phases[n-1]
	text, err := one.w.PlanText(state, p)
	if err != nil {
		fail(w, r, http.StatusNotFound, s.sites.masked(console.Clean(console.WithRemedy(err))))
		return
	}
	s.showText(w, r, one, fmt.Sprintf("Plan of phase %s (%s)", p.Number, p.Name), text, func(string) string { return "" })
}

// diff shows what the session changed, or one phase of it, as autopilot diff does.
func (s *server) diff(w http.ResponseWriter, r *http.Request) {
	one, ok := s.find(w, r)
	if !ok {
		return
	}
	args, title := []string{"diff"}, "What the session changed"
	if phase := r.URL.Query().Get("phase"); phase != "" {
		args, title = append(args, "--phase="+phase), fmt.Sprintf("What phase %s changed", phase)
	}
	text, err := s.printed(r.Context(), one, append(args, "--", one.w.Rel)...)
	if err != nil {
		fail(w, r, http.StatusNotFound, s.sites.masked(console.Clean(console.WithRemedy(err))))
		return
	}
	s.showText(w, r, one, title, text, diffClass)
}

// diffClass says what a line of a diff is.
func diffClass(line string) string {
	for _, c := range []struct{ prefix, class string }{
		{"diff --git", "file"}, {"+++", "head"}, {"---", "head"}, {"index ", "head"}, {"@@", "hunk"}, {"+", "added"}, {"-", "removed"},
	} {
		if strings.HasPrefix(line, c.prefix) {
			return c.class
		}
	}
	return ""
}

// mostRead are the lines of a text that a page shows.
const mostRead = 5000

func (s *server) showText(w http.ResponseWriter, r *http.Request, one *site, title, text string, class func(string) string) {
	p, err := s.page(title, one.ID)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	t := reading{page: p, ID: one.ID}
	for line := range strings.Lines(console.Clean(text)) {
		line = strings.TrimRight(line, "\r\n")
		t.Lines = append(t.Lines, textLine{class(line), line})
	}
	if over := len(t.Lines) - mostRead; over > 0 {
		t.Lines = append(slices.Clip(t.Lines[:mostRead]), textLine{"quiet", fmt.Sprintf("… %d more lines: autopilot diff %s", over, one.w.Rel)})
	}
	s.show(w, r, "text", t, http.StatusOK)
}
