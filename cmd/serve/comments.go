package serve

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions"
	"autopilot/sessions/view"
)

// remarked is the answer that comments are for: the one that has agents work on; "": there is none.
func remarked(choices []view.Choice) string {
	for _, c := range choices {
		if c.Name == string(machine.Revise) || c.Name == string(machine.Fix) {
			return c.Name
		}
	}
	return ""
}

// addComment takes a comment of a page of a plan or a diff, and shows the page again.
func (s *server) addComment(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	c := sites.Comment{Gate: r.PostFormValue("gate"), Place: r.PostFormValue("place"), Text: strings.TrimSpace(console.Clean(r.PostFormValue("text")))}
	state, _, err := sessions.Read(one.W.Session, one.W.SessionOptions(r.Context()))
	if err == nil {
		err = app.StillOpen(state, c.Gate)
	}
	if err != nil {
		return s.showSession(w, r, one, shown{Problem: console.WithRemedy(err)}, http.StatusConflict)
	}
	if !one.AddComment(c) {
		return s.showSession(w, r, one, shown{Problem: fmt.Sprintf("A comment has a line and a text, and an answer takes up to %d.", sites.MostComments)}, http.StatusUnprocessableEntity)
	}
	t := reading{shown: shown{ID: one.ID}, Kind: "diff", Phase: r.PostFormValue("phase")}
	if r.PostFormValue("kind") == "plan" {
		t.Kind = "plan"
		if n, err := strconv.Atoi(t.Phase); err != nil || n < 1 {
			t.Phase = "1"
		}
	}
	http.Redirect(w, r, t.At(""), http.StatusSeeOther)
	return nil
}
