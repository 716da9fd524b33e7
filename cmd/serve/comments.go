package serve

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// comment is what a person wrote about a line of a plan or a diff while a question was open. It goes with their answer, and is kept
// until then.
type comment struct {
	gate  string // the id of the question
	Place string // path:line
	Text  string
}

// mostComments are kept of an answer.
const mostComments = 100

// remarked is the answer that comments are for: the one that has agents work on; "": there is none.
func remarked(choices []view.Choice) string {
	for _, c := range choices {
		if c.Name == string(machine.Revise) || c.Name == string(machine.Fix) {
			return c.Name
		}
	}
	return ""
}

// commentsOn are the comments that go with the answer to a question.
func (s *site) commentsOn(gate string) (own []comment) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.comments {
		if c.gate == gate {
			own = append(own, c)
		}
	}
	return own
}

// addComment takes a comment of a page of a plan or a diff, and shows the page again.
func (s *server) addComment(w http.ResponseWriter, r *http.Request) {
	one, ok := s.find(w, r)
	if !ok {
		return
	}
	c := comment{gate: r.PostFormValue("gate"), Place: r.PostFormValue("place"), Text: strings.TrimSpace(console.Clean(r.PostFormValue("text")))}
	state, _, err := sessions.Read(one.w.Session, one.w.SessionOptions(r.Context()))
	if err == nil {
		err = app.StillOpen(state, c.gate)
	}
	if err != nil {
		s.showSession(w, r, one, shown{Problem: console.WithRemedy(err)}, http.StatusConflict)
		return
	}
	if c.Text == "" || c.Place == "" || len(one.commentsOn(c.gate)) >= mostComments {
		s.showSession(w, r, one, shown{Problem: fmt.Sprintf("A comment has a line and a text, and an answer takes up to %d.", mostComments)}, http.StatusUnprocessableEntity)
		return
	}
	one.mu.Lock()
	one.comments = append(slices.DeleteFunc(one.comments, func(old comment) bool { return old.gate != c.gate }), c)
	one.mu.Unlock()
	t := reading{ID: one.ID, Kind: "diff", Phase: r.PostFormValue("phase")}
	if r.PostFormValue("kind") == "plan" {
		t.Kind = "plan"
		if n, err := strconv.Atoi(t.Phase); err != nil || n < 1 {
			t.Phase = "1"
		}
	}
	http.Redirect(w, r, t.At("")+"#c", http.StatusSeeOther)
}

// dropComment takes the n-th comment on a question back.
func (s *site) dropComment(gate string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.comments = slices.DeleteFunc(s.comments, func(c comment) bool {
		if c.gate == gate {
			n--
		}
		return c.gate == gate && n == -1
	})
}

// withComments is the reason of an answer: the comments on the lines, and what else was said.
func withComments(comments []comment, reason string) string {
	var all strings.Builder
	for _, c := range comments {
		fmt.Fprintf(&all, "%s: %s\n", c.Place, strings.ReplaceAll(c.Text, "\n", "\n  "))
	}
	all.WriteString(reason)
	return strings.TrimSpace(all.String())
}
