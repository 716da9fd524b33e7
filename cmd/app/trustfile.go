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

// trusted is something that a repository's own files name, and that the user said yes to.
type trusted struct {
	Kind     string    `json:"kind"` // key: a secret, and where it goes
	What     string    `json:"what"`
	File     string    `json:"file"` // where it was named then, such as autopilot.yaml:4
	Answered time.Time `json:"answered"`
}

// kindKey is the kind of an answer about a key and where it goes.
const kindKey = "key"

// TrustFile is what the user said about one repository, in the file trust.json of the user's state folder. An answer belongs
// to the git folder and its owner. What a newer program added to the file stays as it is.
type TrustFile struct {
	path        string
	repo, owner string
	whole, all  map[string]json.RawMessage // the file, and its repositories by their git folder
	mine        map[string]json.RawMessage // of this repository
	entries     []json.RawMessage
	known       map[string]bool // what the entries of kind key name
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
		var e trusted
		if json.Unmarshal(raw, &e) == nil && e.Kind == kindKey {
			f.known[e.What] = true
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

// Unanswered are the keys that the user has not said yes to.
func (f *TrustFile) Unanswered(keys []SentKey) []SentKey {
	return slices.DeleteFunc(slices.Clone(keys), func(k SentKey) bool { return f.known[k.What()] })
}

// Keep adds a yes to each of some keys to the file, which it replaces at once, readable by the user alone.
func (f *TrustFile) Keep(keys []SentKey, now time.Time) error {
	if f.path == "" {
		return errors.New("there is no folder for it: set XDG_STATE_HOME")
	}
	for _, k := range keys {
		raw := jsonedit.Compact(trusted{Kind: kindKey, What: k.What(), File: k.File, Answered: now.UTC().Truncate(time.Second)})
		f.entries, f.known[k.What()] = append(f.entries, raw), true
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
	return storage.ReplacePrivately(storage.OSDisk{}, f.path, append(jsonedit.Indented(f.whole), '\n'))
}
