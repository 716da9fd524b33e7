package serve

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
	"autopilot/cmd/console"
	"autopilot/cmd/serve/door"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

//go:embed pages/*
var files embed.FS

// forms are the templates; only serve needs them.
var forms = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"ago": view.Ago, "usd": view.Dollars, "capital": view.Capital, "lasted": lasted, "mark": func(m view.Mark) string { return marks[m] },
		"inc": func(n int) int { return n + 1 }, "plural": machine.Plural, "budgets": budgets, "blocks": func(e machine.Entry) bool { return e.Fate == machine.FateOpen }, "moment": func(at, now time.Time) map[string]time.Time { return map[string]time.Time{"At": at, "Now": now} },
	}).ParseFS(files, "pages/*.tmpl"))
})

var marks = map[view.Mark]string{view.Pending: "·", view.Active: "▸", view.Asking: "?", view.Passed: "✓", view.Broken: "✗", view.Skipped: "–"}

// budgets say how much was used of what a session may use. What no backend told is left out.
func budgets(v view.Session) string {
	var all []string
	for _, b := range v.Budgets {
		switch {
		case b.Name == "duration":
			all = append(all, fmt.Sprintf("running time %s of %s", cmp.Or(lasted(b.Used), "0"), lasted(b.Of)))
		case b.Name == "dispatches":
			all = append(all, fmt.Sprintf("%.0f of %.0f agent runs", b.Used, b.Of))
		case b.Name == "cost" && v.CostKnown:
			all = append(all, fmt.Sprintf("$%.2f of $%g", b.Used, b.Of))
		case b.Name == "tokens" && b.Used > 0:
			all = append(all, view.Grouped(int(b.Used))+" of "+view.Grouped(int(b.Of))+" tokens")
		}
	}
	return strings.Join(all, ", ")
}

func lasted(seconds float64) string {
	if seconds < 1 {
		return ""
	}
	return words.Seconds(seconds)
}

// server answers requests.
type server struct {
	host     *console.Host
	sites    *sites.Sites
	door     *door.Door
	report   Report
	run      Run
	formKey  string // what its own forms send
	readOnly bool
}

// page is what each page has.
type page struct {
	Title    string
	Now      time.Time
	Waits    int // sessions that need a person
	List     []group
	PhoneKey string // the key of the form that adds a phone
	Here     string // the id of the session that is shown
	Theme    string // light or dark, as this browser chose; "": as it has pages else
}

// group is a part of the list of sessions.
type group struct {
	Title string
	Rows  []sites.Row
}

func (s *server) page(r *http.Request, title, here string) (page, error) {
	p := page{Title: title, Now: s.host.Now(), Here: here, PhoneKey: s.formKey}
	if c, err := r.Cookie("theme"); err == nil && slices.Contains([]string{"light", "dark"}, c.Value) {
		p.Theme = c.Value
	}
	rows, err := s.sites.List()
	if err != nil {
		return p, err
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b sites.Row) int { return b.Since.Compare(a.Since) })
	for i, of := range view.Groups {
		g := group{Title: of.Title}
		for _, r := range rows {
			if slices.Contains(of.Has, r.Standing) {
				g.Rows = append(g.Rows, r)
			}
		}
		if len(g.Rows) > 0 {
			p.List = append(p.List, g)
		}
		if i == 0 {
			p.Waits = len(g.Rows)
		}
	}
	return p, nil
}

func (s *server) overview(w http.ResponseWriter, r *http.Request) error {
	p, err := s.page(r, "Sessions", "")
	if err != nil {
		return err
	}
	return s.show(w, "overview", p, http.StatusOK)
}

// shown is a session's page.
type shown struct {
	page
	sites.Sight
	ID, Repository string
	Latest         []view.Line // of the transcript, the last one first
	FormKey        string      // what the page's forms send; "": it has none
	Offered        []view.Choice
	Chosen         string          // the option that is marked beforehand
	Comments       []sites.Comment // that go with the answer
	Timeline       template.HTML
	Said, Problem  string // what became of what was sent last
	Given          given  // what could not be taken
}

func (s *server) session(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	var about shown
	if r.Header.Get("X-Autopilot") != "follows" { // an open page wouldn't show what became of an answer
		about.Said = one.TakeOutcome()
	}
	return s.showSession(w, r, one, about, http.StatusOK)
}

// mostDrawn are the spans in the picture of a page that is loaded again with each event; the list has all.
const mostDrawn = 200

// showSession shows a session beside what became of an answer.
func (s *server) showSession(w http.ResponseWriter, r *http.Request, one *sites.Site, about shown, code int) error {
	if err := s.fill(r, one, one.Name(), &about); err != nil {
		return err
	}
	spans := one.Spans()
	var err error
	if about.Timeline, err = timeline.Chart(spans[max(0, len(spans)-mostDrawn):], s.host.Now().Local().Location()); err != nil {
		return err
	}
	about.Latest = slices.Clone(about.Lines[max(0, len(about.Lines)-100):])
	slices.Reverse(about.Latest)
	return s.show(w, "session", about, code)
}

// fill adds what the pages of a session and of its texts share: its state and its question.
func (s *server) fill(r *http.Request, one *sites.Site, title string, about *shown) (err error) {
	if about.Sight, err = one.Look(s.host.Now()); err != nil {
		return err
	}
	if about.page, err = s.page(r, title, one.ID); err != nil {
		return err
	}
	about.ID, about.Repository = one.ID, one.Repository
	if !s.readOnly {
		about.FormKey = s.formKey
	}
	if about.Gate != nil {
		about.Offered, about.Comments = offered(about.Session), one.CommentsOn(about.Gate.ID)
		about.Chosen = chosen(*about)
	}
	return nil
}

// chosen is the option that is marked beforehand: what was given, what comments are for, or the default.
func chosen(about shown) string {
	if about.Given.Option != "" {
		return about.Given.Option
	}
	if name := remarked(about.Offered); len(about.Comments) > 0 && name != "" {
		return name
	}
	at := slices.IndexFunc(about.Offered, func(c view.Choice) bool { return c.Default })
	if at < 0 {
		return ""
	}
	return about.Offered[at].Name
}

func (s *server) wholeReport(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	text, err := s.report(r.Context(), one.W)
	if err != nil {
		return err
	}
	w.Header().Del("Content-Security-Policy") // the report has its own, which is as strict
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(text) // who no longer listens needs no answer
	return nil
}

// refusedError is a request that gets nothing, as HTTP says it.
type refusedError struct {
	code int
	error
}

func (e *refusedError) Unwrap() error { return e.error }

// told is a refusal in whole sentences.
type told string

func (t told) Error() string { return string(t) }

// notFound refuses a request for what there is not.
func notFound(text told) error { return &refusedError{http.StatusNotFound, text} }

// plain answers what names no session.
func (s *server) plain(h func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		refused, is := errors.AsType[*refusedError](err)
		switch {
		case err == nil, !is && r.Context().Err() != nil: // nobody listens any more
		case is:
			fail(w, r, refused.code, s.sites.Masked(console.Clean(console.WithRemedy(refused.error))))
		default:
			fail(w, r, http.StatusInternalServerError, s.sites.Masked(console.Clean(console.WithRemedy(err))))
		}
	}
}

// on answers what names a session.
func (s *server) on(h func(w http.ResponseWriter, r *http.Request, one *sites.Site) error) http.HandlerFunc {
	return s.plain(func(w http.ResponseWriter, r *http.Request) error {
		one, err := s.sites.Find(r.Context(), cmp.Or(r.PathValue("id"), r.URL.Query().Get("session")))
		if err == nil && one == nil {
			err = notFound("There is no such session. It may have been archived.")
		}
		if err != nil {
			return err
		}
		return h(w, r, one)
	})
}

// at answers what is about a session as it is now.
func (s *server) at(h func(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error) http.HandlerFunc {
	return s.on(func(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
		seen, err := one.Look(s.host.Now())
		if err != nil {
			return err
		}
		return h(w, r, one, seen)
	})
}

// show writes a page whole, or none of it.
func (s *server) show(w http.ResponseWriter, form string, data any, code int) error {
	var b bytes.Buffer
	if err := forms().ExecuteTemplate(&b, form, data); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(s.sites.Masked(b.String())))
	return nil
}

// fail answers a request that gets nothing: a script as JSON, a person as a page.
func fail(w http.ResponseWriter, r *http.Request, code int, message string) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		message, hint, _ := strings.Cut(message, "\n")
		answer(w, code, map[string]any{"error": map[string]string{"code": codes[code], "message": message, "hint": hint}})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_ = forms().ExecuteTemplate(w, "refused", refusal{page{Title: fmt.Sprint(code, " ", http.StatusText(code))}, message})
}

// pages are those that the door shows.
type pages struct{}

// Refused is the page of who gets nothing.
func (pages) Refused(w http.ResponseWriter, r *http.Request, code int, message string) {
	fail(w, r, code, message)
}

// Entered leads on by a link of ours, with which a browser sends the cookie that it just got.
func (pages) Entered(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = forms().ExecuteTemplate(w, "entered", page{Title: "Sessions"})
}

// refusal is the page of who gets nothing.
type refusal struct {
	page
	Message string
}

// codes are the errors as scripts know them.
var codes = map[int]string{
	http.StatusUnauthorized: "not_invited", http.StatusNotFound: "not_found", http.StatusMisdirectedRequest: "wrong_host", http.StatusBadRequest: "bad_request",
	http.StatusMethodNotAllowed: "wrong_method", http.StatusConflict: "gate_closed", http.StatusUnprocessableEntity: "not_taken", http.StatusForbidden: "foreign", http.StatusInternalServerError: "unreadable",
	http.StatusTooManyRequests: "too_many", http.StatusRequestEntityTooLarge: "too_large", http.StatusServiceUnavailable: "busy",
}

func answer(w http.ResponseWriter, code int, data any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(data)
}
