package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/git/unified"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions"
)

// reading is the page of a text that belongs to a session: a plan, a diff. Findings and comments are below their lines, the open
// question is beside the text.
type reading struct {
	shown
	Kind    string // plan, diff
	Phase   string // of the plan by its position, of the diff by its number; "": all
	Files   []string
	Rows    []textRow
	Remarks bool // comments can be made
}

// textRow is a line of such a text.
type textRow struct {
	Class    string
	Text     string
	N        int    // its number, of a diff that after the change; 0: none
	Place    string // path:line, for a comment; "": none can be made
	Open     bool   // its comment is being written
	Findings []machine.Entry
	Comments []sites.Comment
}

// At is the address of the page, with a comment being written at a place, "" of none.
func (t reading) At(place string) string {
	query := url.Values{}
	if place != "" {
		query.Set("at", place)
	}
	at := "/s/" + t.ID + "/" + t.Kind
	if t.Kind == "plan" {
		at += "/" + t.Phase
	} else if t.Phase != "" {
		query.Set("phase", t.Phase)
	}
	if len(query) > 0 {
		at += "?" + query.Encode()
	}
	return at
}

// plan shows the plan of a phase, by its place in the spec.
func (s *server) plan(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	state, _, err := sessions.Read(one.W.Session, one.W.SessionOptions(r.Context()))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(r.PathValue("phase"))
	if err != nil || n < 1 || n > len(state.Phases) {
		return notFound("There is no such phase.")
	}
	p := state.Phases[n-1]
	text, err := one.W.PlanText(state, p)
	if err != nil {
		return &refusedError{http.StatusNotFound, err}
	}
	t := reading{Kind: "plan", Phase: strconv.Itoa(n)}
	for line := range strings.Lines(console.Clean(text)) {
		t.Rows = append(t.Rows, textRow{Text: strings.TrimRight(line, "\r\n"), N: len(t.Rows) + 1, Place: fmt.Sprintf("%s:%d", p.PlanPath, len(t.Rows)+1)})
	}
	return s.showText(w, r, one, fmt.Sprintf("Plan of phase %s (%s)", p.Number, p.Name), t)
}

// diff shows what the session changed, or one phase of it, as autopilot diff does.
func (s *server) diff(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	title, phase := "What the session changed", r.URL.Query().Get("phase")
	if phase != "" {
		title = fmt.Sprintf("What phase %s changed", phase)
	}
	lines, err := s.diffLines(r, one)
	if err != nil {
		return err
	}
	t := reading{Kind: "diff", Phase: phase}
	for _, l := range lines {
		if l.Kind == unified.Head && slices.ContainsFunc([]string{"index ", "--- ", "+++ "}, func(of string) bool { return strings.HasPrefix(l.Text, of) }) {
			continue // the file's name stands above
		}
		row := textRow{Class: string(l.Kind), Text: l.Text, N: l.New}
		if n := cmp.Or(l.New, l.Old); n > 0 {
			row.Place = fmt.Sprintf("%s:%d", l.Path, n)
		}
		if l.Kind == unified.File {
			row.Text, row.Place = cmp.Or(l.Path, l.Text), l.Path
			t.Files = append(t.Files, row.Text)
		}
		t.Rows = append(t.Rows, row)
	}
	return s.showText(w, r, one, title, t)
}

// diffLines are the lines of the diff that a request wants: of a phase, of a task, of all.
func (s *server) diffLines(r *http.Request, one *sites.Site) ([]unified.Line, error) {
	args := []string{"diff"}
	for _, name := range []string{"phase", "task"} {
		if text := r.URL.Query().Get(name); text != "" {
			args = append(args, "--"+name+"="+text)
		}
	}
	text, err := s.printed(r.Context(), one, append(args, "--", one.W.Rel)...)
	if err != nil {
		return nil, &refusedError{http.StatusNotFound, err}
	}
	return unified.Lines(text), nil
}

// mostRead are the lines of a text that a page shows.
const mostRead = 5000

func (s *server) showText(w http.ResponseWriter, r *http.Request, one *sites.Site, title string, t reading) error {
	if err := s.fill(r, one, title, &t.shown); err != nil {
		return err
	}
	if over := len(t.Rows) - mostRead; over > 0 {
		t.Rows = append(slices.Clip(t.Rows[:mostRead]), textRow{Class: "quiet", Text: fmt.Sprintf("… %d more lines: autopilot %s %s", over, t.Kind, one.W.Rel)})
	}
	t.Remarks = t.FormKey != "" && remarked(t.Offered) != ""
	t.annotate(r.URL.Query().Get("at"))
	return s.show(w, "text", t, http.StatusOK)
}

// annotate puts findings and comments below the lines that they are about; a finding whose line isn't shown stands at its file.
func (t *reading) annotate(at string) {
	rows := map[string]int{}
	for i, row := range t.Rows {
		if _, twice := rows[row.Place]; row.Place != "" && (!twice || row.N > 0) {
			rows[row.Place] = i
		}
	}
	for _, f := range t.Findings {
		i, found := rows[fmt.Sprintf("%s:%d", f.File, f.Line)]
		if !found {
			i, found = rows[f.File]
		}
		if found {
			t.Rows[i].Findings = append(t.Rows[i].Findings, f)
		}
	}
	for _, c := range t.Comments {
		if i, found := rows[c.Place]; found {
			t.Rows[i].Comments = append(t.Rows[i].Comments, c)
		}
	}
	if i, found := rows[at]; found && t.Remarks {
		t.Rows[i].Open = true
	}
}
