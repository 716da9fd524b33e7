package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"autopilot/autopilot/git"
	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/shell"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// trustVersion is the form of trust.json that this program writes.
const trustVersion = 1

// answered is an entry that the user said yes to.
type answered struct {
	TrustEntry

	Answered time.Time `json:"answered"`
}

// TrustFile is what the user said about one repository, in the file trust.json of the user's state folder. An answer belongs
// to the git folder and its owner. What a newer program added to the file stays as it is.
type TrustFile struct {
	path        string
	repo, owner string
	whole, all  map[string]json.RawMessage // the file, and its repositories by their git folder
	mine        map[string]json.RawMessage // of this repository
	entries     []json.RawMessage
	known       map[string]bool // the ids of the entries
}

// OpenTrust reads what the user said about a repository. A file that is not there says nothing.
func OpenTrust(h *console.Host, repo *git.Repo) (*TrustFile, error) {
	f := &TrustFile{repo: repo.CommonDir(), owner: ownerOf(repo.CommonDir()), known: map[string]bool{}}
	dir, err := config.StateDir(h.Environ)
	if err != nil {
		return f, nil //nolint:nilerr // there is no place where an answer could be; keep says so
	}
	f.path = filepath.Join(dir, "trust.json")
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err == nil {
		err = f.parse(data)
	}
	if _, newer := errors.AsType[*sessions.NewerError](err); err != nil && !newer {
		err = &console.CodedError{Code: 7, Err: fmt.Errorf("can't read what you trust: %w\nMove it away; autopilot then asks again:\n  mv %s %s", err, shell.QuotePath(f.path), shell.QuotePath(f.path+".bad"))}
	}
	return f, err
}

// parse reads the file. Answers about this repository count only while the owner of its git folder is the same.
func (f *TrustFile) parse(data []byte) error {
	var version int
	var owner string
	err := json.Unmarshal(data, &f.whole)
	if err = errors.Join(err, part(f.whole, "version", &version)); err == nil && version > trustVersion {
		return &sessions.NewerError{Path: f.path, Version: version}
	}
	err = errors.Join(err, part(f.whole, "repositories", &f.all), part(f.all, f.repo, &f.mine), part(f.mine, "owner", &owner))
	if owner != f.owner {
		f.mine = nil
	}
	if err = errors.Join(err, part(f.mine, "entries", &f.entries)); err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	for _, raw := range f.entries {
		var e TrustEntry
		if json.Unmarshal(raw, &e) == nil {
			f.known[e.id()] = true
		}
	}
	return nil
}

// part reads what stands under a key, if it is there.
func part(from map[string]json.RawMessage, key string, into any) error {
	if raw, ok := from[key]; ok {
		return json.Unmarshal(raw, into)
	}
	return nil
}

// Unanswered are the entries that the user has not said yes to.
func (f *TrustFile) Unanswered(entries []TrustEntry) []TrustEntry {
	return slices.DeleteFunc(slices.Clone(entries), func(e TrustEntry) bool { return f.known[e.id()] })
}

// Answered are the entries that the user has said yes to.
func (f *TrustFile) Answered(entries []TrustEntry) []TrustEntry {
	return slices.DeleteFunc(slices.Clone(entries), func(e TrustEntry) bool { return !f.known[e.id()] })
}

// Keep adds a yes to each of some entries to the file.
func (f *TrustFile) Keep(entries []TrustEntry, now time.Time) error {
	since := &TrustFile{path: f.path, repo: f.repo, owner: f.owner, known: map[string]bool{}} // another command may have written meanwhile
	if data, err := os.ReadFile(f.path); err == nil && since.parse(data) == nil {
		*f = *since
	}
	for _, e := range entries {
		e.When = "" // it follows from the rest
		raw := jsonedit.Compact(answered{e, now.UTC().Truncate(time.Second)})
		f.entries, f.known[e.id()] = append(f.entries, raw), true
	}
	return f.write()
}

// Revoke forgets every yes for the repository, and says how many there were.
func (f *TrustFile) Revoke() (int, error) {
	n := len(f.entries)
	if n == 0 {
		return 0, nil
	}
	f.entries, f.known = []json.RawMessage{}, map[string]bool{}
	return n, f.write()
}

// write replaces the file at once, readable by the user alone.
func (f *TrustFile) write() error {
	if f.path == "" {
		return errors.New("there is no folder for it: set XDG_STATE_HOME")
	}
	for _, p := range []struct {
		into  *map[string]json.RawMessage
		key   string
		value any
	}{
		{&f.mine, "owner", f.owner},
		{&f.mine, "entries", f.entries},
		{&f.all, f.repo, &f.mine},
		{&f.whole, "version", trustVersion},
		{&f.whole, "repositories", &f.all},
	} {
		if *p.into == nil {
			*p.into = map[string]json.RawMessage{}
		}
		(*p.into)[p.key] = jsonedit.Compact(p.value)
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return err
	}
	return storage.ReplaceDurably(storage.OSDisk{}, f.path, append(jsonedit.Indented(f.whole), '\n'), false)
}
