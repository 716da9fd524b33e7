package sites

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/machine"
	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/cmd/live"
	"autopilot/personas"
	"autopilot/sessions/timeline"
	"autopilot/sessions/view"
)

// fresh is how long what was read is shown to everybody who looks.
const fresh = time.Second

// mostLines are the lines of a transcript that are kept for those who look.
const mostLines = 500

// Sites are the sessions of some repositories.
type Sites struct {
	host  *console.Host
	roots []*git.Repo

	mu     sync.Mutex
	opened map[string]*git.Repo // working trees beside the roots, by their folders
	masks  []*personas.Mask     // of each working tree, for what is shown
	known  map[string]*Site
	rows   []Row
	at     time.Time
}

// Row is a session in a list.
type Row struct {
	ID         string `json:"id"` // in addresses
	Repository string `json:"repository"`
	app.Listed

	Repo *git.Repo `json:"-"` // its working tree
}

// New opens the repositories of folders; of the host's own where there are none.
func New(ctx context.Context, h *console.Host, folders []string) (*Sites, error) {
	all := &Sites{host: h, opened: map[string]*git.Repo{}, known: map[string]*Site{}}
	if len(folders) == 0 {
		folders = []string{h.Dir}
	}
	for _, folder := range folders {
		repo, err := app.UserRepoAt(ctx, h.Path(folder), git.Find)
		if err != nil {
			return nil, err
		}
		all.roots, all.masks = append(all.roots, repo), append(all.masks, app.MaskOf(h, app.ConfigToLook(h, repo.Root())))
	}
	return all, nil
}

// Masked hides the secrets of this machine, and those that a configuration names.
func (all *Sites) Masked(text string) string {
	all.mu.Lock()
	masks := all.masks // only ever grows
	all.mu.Unlock()
	for _, mask := range masks {
		text = mask.Replace(text)
	}
	return text
}

// List are all sessions, as a list shows them. One that can't be read is a Row with its error.
func (all *Sites) List() ([]Row, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if now := all.host.Now(); now.Sub(all.at) < fresh && !all.at.After(now) {
		return all.rows, nil
	}
	trees, err := all.trees(context.Background())
	if err != nil {
		return nil, err
	}
	rows := []Row{}
	for _, repo := range trees {
		listed, err := app.Rows(all.host, repo)
		if err != nil {
			return nil, err
		}
		for _, one := range listed {
			rows = append(rows, Row{ID: idOf(repo.Root(), one.Session), Repository: filepath.Base(repo.Root()), Listed: one, Repo: repo})
		}
	}
	all.rows, all.at = rows, all.host.Now()
	return rows, nil
}

// idOf is what a session is called in addresses. It stays the same from one serve to the next.
func idOf(root, slug string) string {
	sum := sha256.Sum256([]byte(root + "\x00" + slug))
	return hex.EncodeToString(sum[:6])
}

// Find is the session with an id; nil where there is none. What a request names is only ever compared.
func (all *Sites) Find(ctx context.Context, id string) (*Site, error) {
	rows, err := all.List()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.ID != id || r.Spec == "" {
			continue
		}
		all.mu.Lock()
		defer all.mu.Unlock()
		if all.known[id] == nil {
			w, err := app.FindWorkspace(ctx, all.host, filepath.Join(r.Repo.Root(), filepath.FromSlash(r.Spec)), git.Find)
			if err != nil {
				return nil, err
			}
			all.known[id] = &Site{Row: r, W: w, masked: all.Masked}
		}
		return all.known[id], nil
	}
	return nil, nil
}

// Site is one session. All who look at it share what was read of it.
type Site struct {
	Row
	W *app.Workspace // where it lies

	Answering sync.Mutex // held while an answer is taken
	masked    func(string) string

	mu       sync.Mutex
	outcome  string // of the last answer, until a page showed it
	comments []Comment
	follower *live.Follower
	timeline *timeline.Timeline
	seen     Sight
	err      error
	at       time.Time
}

// Sight is a session at a moment, with the end of its transcript.
type Sight struct {
	view.Session
	Lines   []view.Line
	Dropped int64 // the revision of the last line that is no longer kept
	Encoded func() (Encoded, error)
}

// Look gives what is to be seen, at most a second old.
func (s *Site) Look(now time.Time) (Sight, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age := now.Sub(s.at); s.at.IsZero() || age < 0 || age >= fresh {
		s.err, s.at = s.read(), now
	}
	return s.seen, s.err
}

// Spans are what took time until now, the last of it.
func (s *Site) Spans() []timeline.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timeline == nil {
		return nil
	}
	return s.timeline.Until(s.W.Host.Now(), s.seen.Running, s.seen.State == machine.Done)
}

func (s *Site) read() error {
	ctx := context.Background() //nolint:contextcheck // what is read is for all who look, whoever asked first
	if s.follower == nil {
		cfg := app.ConfigToLook(s.W.Host, s.W.Repo.Root())
		seen, past := Sight{}, &timeline.Timeline{}
		follower, err := live.Follow(ctx, s.W, machine.State{}, func(state machine.State) view.Facts { return s.W.Facts(state, cfg) }, func(added []view.Line) {
			if seen.Lines = append(seen.Lines, added...); len(seen.Lines) > 2*mostLines { // not at each event: it would take longer
				seen.trim()
			}
		}, past.Take)
		if err != nil {
			return err
		}
		s.follower, s.timeline, s.seen = follower, past, seen
	}
	session, added, err := s.follower.Look()
	if err != nil {
		s.follower = nil // the session was replaced; the next look reads it from the start
		return err
	}
	s.seen.Session, s.seen.Lines = session, append(slices.Clip(s.seen.Lines), added...) // who looks keeps the lines that it got
	s.seen.trim()
	s.seen.Encode(s.masked)
	return nil
}

// trim lets go of all but the last lines, and of the array that held them.
func (s *Sight) trim() {
	if over := len(s.Lines) - mostLines; over > 0 {
		s.Dropped, s.Lines = s.Lines[over-1].Rev, slices.Clone(s.Lines[over:])
	}
}

// SetOutcome keeps what became of an answer for the page that is shown next.
func (s *Site) SetOutcome(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcome, s.at = text, time.Time{} // what follows from it is to be seen at once
}

// TakeOutcome gives it, once.
func (s *Site) TakeOutcome() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.outcome
	s.outcome = ""
	return text
}

// Name is what a session is called.
func (s *Site) Name() string { return cmp.Or(s.Title, s.Spec) }
