package serve

import (
	_ "embed" // the description of the routes for programs
	"io/fs"
	"net/http"
	"slices"
)

// openAPI describes the routes below /api/v1.
//
//go:embed openapi.yaml
var openAPI []byte

// route is an address that there is.
type route struct {
	method, path string
	handle       http.HandlerFunc
}

// reads are the routes that change nothing.
func (s *server) reads() []route {
	const get, session = http.MethodGet, "/api/v1/sessions/{id}"
	return []route{
		{get, "/{$}", s.plain(s.overview)},
		{get, "/s/{id}", s.on(s.session)},
		{get, "/s/{id}/report", s.on(s.wholeReport)},
		{get, "/s/{id}/diff", s.on(s.diff)},
		{get, "/s/{id}/plan/{phase}", s.on(s.plan)},
		{get, "/s/{id}/task/{phase}/{n}", s.at(s.task)},
		{get, "/s/{id}/runs", s.at(s.runs)},
		{get, "/s/{id}/attempts/{phase}/{place}/{n}", s.at(s.attempt)},
		{get, "/api/v1/openapi.yaml", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(openAPI) }},
		{get, "/api/v1/sessions", s.plain(s.apiSessions)},
		{get, session, s.at(s.apiSession)},
		{get, session + "/lines", s.at(s.apiLines)},
		{get, session + "/diff", s.at(s.apiDiff)},
		{get, session + "/attempts/{phase}/{place}/{n}/{what}", s.at(s.apiRecord)},
		{get, "/api/v1/events", s.at(s.events)},
	}
}

// writes are the routes that change something. With --read-only there are none of them.
func (s *server) writes() []route {
	const post, session = http.MethodPost, "/api/v1/sessions/{id}"
	return []route{
		{post, "/s/{id}/answer", s.on(s.pageAnswer)},
		{post, "/s/{id}/comments", s.on(s.addComment)},
		{post, "/s/{id}/{what}", s.on(s.send)},
		{post, session + "/answers", s.on(s.apiAnswer)},
		{post, session + "/notes", s.on(s.apiNote)},
		{post, session + "/pause", s.on(s.apiWish)},
		{post, session + "/stop", s.on(s.apiWish)},
	}
}

// back are the pages that a session's page is shown at where what was sent from it wasn't taken: they lead back to it.
func back() (all []route) {
	for _, sent := range []string{"answer", "comments", "note", "pause", "stop"} {
		all = append(all, route{http.MethodGet, "/s/{id}/" + sent, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/s/"+r.PathValue("id"), http.StatusSeeOther)
		}})
	}
	return all
}

// routes answers at every address.
func routes(s *server) http.Handler {
	mux := http.NewServeMux()
	own, _ := fs.Sub(files, "pages")
	for _, name := range []string{"style.css", "live.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, own, name) })
	}
	all := s.reads()
	if !s.readOnly {
		all = slices.Concat(all, s.writes(), back())
	}
	all = append(all,
		route{http.MethodPost, "/phone", s.plain(s.addPhone)}, // also with --read-only: the other device only looks, too
		route{http.MethodGet, "/phone", http.RedirectHandler("/", http.StatusSeeOther).ServeHTTP})
	for _, one := range all {
		mux.HandleFunc(one.method+" "+one.path, one.handle)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, r, http.StatusNotFound, "There is nothing at this address.")
	})
	return mux
}
