package serve

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"autopilot/autopilot/git/unified"
	"autopilot/autopilot/machine"
	"autopilot/cmd/serve/door"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions/view"
)

// tell answers with JSON, masked as pages are.
func (s *server) tell(w http.ResponseWriter, code int, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(s.sites.Masked(string(text))))
	return nil
}

func (s *server) apiSessions(w http.ResponseWriter, _ *http.Request) error {
	rows, err := s.sites.List()
	if err != nil {
		return err
	}
	return s.tell(w, http.StatusOK, map[string]any{"sessions": rows})
}

func (s *server) apiSession(w http.ResponseWriter, _ *http.Request, _ *sites.Site, seen sites.Sight) error {
	return s.tell(w, http.StatusOK, seen.Session)
}

// mostAtOnce are the lines that a request gets.
const mostAtOnce = 200

// apiLines gives a part of the transcript: limit lines after a revision.
func (s *server) apiLines(w http.ResponseWriter, r *http.Request, _ *sites.Site, seen sites.Sight) error {
	after, bad := number(r, "after", 0)
	limit, worse := number(r, "limit", mostAtOnce)
	if bad || worse {
		return &refusedError{http.StatusBadRequest, told("after and limit are whole numbers.")}
	}
	lines := since(seen.Lines, after)
	return s.tell(w, http.StatusOK, map[string]any{"lines": lines[:min(int(limit), mostAtOnce, len(lines))], "dropped": seen.Dropped})
}

// changedFile is a file of a diff.
type changedFile struct {
	Path     string           `json:"path"`
	Added    int              `json:"added"` // lines
	Removed  int              `json:"removed"`
	Text     string           `json:"text"` // its part of the diff
	Findings machine.Register `json:"findings"`
}

// apiDiff gives what the session changed, or a phase or a task of it, by files.
func (s *server) apiDiff(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	lines, err := s.diffLines(r, one)
	if err != nil {
		return err
	}
	all := []changedFile{}
	for _, l := range lines {
		if l.Kind == unified.File || len(all) == 0 {
			f := changedFile{Path: l.Path, Findings: machine.Register{}}
			for _, e := range seen.Findings {
				if e.File == l.Path {
					f.Findings = append(f.Findings, e)
				}
			}
			all = append(all, f)
		}
		f := &all[len(all)-1]
		f.Text += l.Text + "\n"
		switch l.Kind {
		case unified.Added:
			f.Added++
		case unified.Removed:
			f.Removed++
		}
	}
	return s.tell(w, http.StatusOK, map[string]any{"files": all})
}

// apiRecord gives a record of an agent run as it is, masked; a part of it where the request names a range.
func (s *server) apiRecord(w http.ResponseWriter, r *http.Request, one *sites.Site, seen sites.Sight) error {
	var text []byte
	a, err := one.Run(seen, r.PathValue("phase"), r.PathValue("place"), r.PathValue("n")), fs.ErrNotExist
	if a != nil {
		text, err = one.Record(*a, r.PathValue("what"))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return notFound("There is no such record.")
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(s.sites.Masked(string(text))))
	return nil
}

// apiNote takes a note for the next agent run.
func (s *server) apiNote(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	var note struct {
		Text string `json:"text"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, door.MostSent)).Decode(&note); err != nil || note.Text == "" {
		return &refusedError{http.StatusBadRequest, told("A note is an object with text, of at most 64 KiB.")}
	}
	return s.apiTell(w, r, one, "note", note.Text)
}

// apiWish has a run pause or stop, by the end of the address.
func (s *server) apiWish(w http.ResponseWriter, r *http.Request, one *sites.Site) error {
	return s.apiTell(w, r, one, path.Base(r.URL.Path), "")
}

func (s *server) apiTell(w http.ResponseWriter, r *http.Request, one *sites.Site, what, note string) error {
	said, err := s.tellRun(r, one, what, note)
	if err != nil {
		return &refusedError{http.StatusUnprocessableEntity, err}
	}
	return s.tell(w, http.StatusCreated, map[string]any{"said": said})
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
