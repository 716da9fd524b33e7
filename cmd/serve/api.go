package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"autopilot/sessions/view"
)

// tell answers with JSON, masked as pages are.
func (s *server) tell(w http.ResponseWriter, r *http.Request, data any) {
	text, err := json.Marshal(data)
	if err != nil {
		s.broken(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(s.sites.masked(string(text))))
}

func (s *server) apiSessions(w http.ResponseWriter, r *http.Request) {
	rows, err := s.sites.list()
	if err != nil {
		s.broken(w, r, err)
		return
	}
	s.tell(w, r, map[string]any{"sessions": rows})
}

func (s *server) apiSession(w http.ResponseWriter, r *http.Request) {
	if _, seen, ok := s.seen(w, r); ok {
		s.tell(w, r, seen.Session)
	}
}

// mostAtOnce are the lines that a request gets.
const mostAtOnce = 200

// apiLines gives a part of the transcript: limit lines after a revision.
func (s *server) apiLines(w http.ResponseWriter, r *http.Request) {
	after, bad := number(r, "after", 0)
	limit, worse := number(r, "limit", mostAtOnce)
	if bad || worse {
		fail(w, r, http.StatusBadRequest, "after and limit are whole numbers.")
		return
	}
	if _, seen, ok := s.seen(w, r); ok {
		lines := since(seen.Lines, after)
		s.tell(w, r, map[string]any{"lines": lines[:min(int(limit), mostAtOnce, len(lines))], "dropped": seen.Dropped})
	}
}

// number is a number that a request names, from 0 on.
func number(r *http.Request, name string, otherwise int64) (n int64, bad bool) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n, err != nil || n < 0
}

// since are the lines after a revision.
func since(lines []view.Line, after int64) []view.Line {
	at := slices.IndexFunc(lines, func(l view.Line) bool { return l.Rev > after })
	if at < 0 {
		return []view.Line{}
	}
	return lines[at:]
}
