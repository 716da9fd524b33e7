package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot/plainfile"
)

// MemoryRef is the ref of the project's memory: what its sessions learned, and what failed in them.
const MemoryRef = memoryRefs + "memory"

// memoryRefs is what its name begins with. No slug has a dot.
const memoryRefs = "refs/autopilot/all.sessions/"

// remembered are the memory's files, in .harness and in each commit of its ref.
var remembered = []string{"learnings.md", "failures.md"}

// TakeMemory appends to the clone's files the entries of the hub that they never shared: what a person prunes doesn't come back.
func (s *Session) TakeMemory(ctx context.Context) error {
	return s.eachMemory(func(name, ours, shared string) error {
		theirs, err := s.memoryOnHub(ctx, name)
		fresh := newEntries(theirs, shared)
		if err == nil {
			err = appendTo(filepath.Join(s.clone.Dir, ".harness", name), ours, fresh)
		}
		if err == nil {
			err = appendTo(s.shared(name), shared, fresh)
		}
		return err
	})
}

// GiveMemory gives the hub the entries of the clone's files that they never shared. Nothing that the hub has goes.
func (s *Session) GiveMemory(ctx context.Context) error {
	fresh, all := map[string]string{}, ""
	err := s.eachMemory(func(name, ours, shared string) error {
		fresh[name] = newEntries(ours, shared)
		all += fresh[name]
		return nil
	})
	if err != nil || all == "" {
		return err
	}
	err = s.pushing(ctx, "", func() (map[string]string, error) {
		var files []entry
		for name, more := range fresh {
			theirs, err := s.memoryOnHub(ctx, name)
			blob, failed := s.blob(ctx, appended(theirs, more))
			if err = errors.Join(err, failed); err != nil {
				return nil, err
			}
			files = append(files, entry{mode: "100644", blob: blob, path: name})
		}
		next, err := s.onTop(ctx, s.known[MemoryRef], files, nil)
		return map[string]string{MemoryRef: next}, err
	})
	for name, more := range fresh {
		if err == nil {
			err = appendTo(s.shared(name), "", more)
		}
	}
	return err
}

// shared is a file of the entries that this clone got from the hub, or gave it.
func (s *Session) shared(name string) string {
	return filepath.Join(s.clone.folder, "autopilot-"+name)
}

// eachMemory looks at the clone's files, and at what they shared with the hub: nothing where it has no memory.
func (s *Session) eachMemory(do func(name, ours, shared string) error) error {
	for _, name := range remembered {
		ours, err := plainfile.ReadIn(s.clone.Dir, ".harness/"+name) // no link leads to another file
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var shared []byte
		if s.known[MemoryRef] != "" {
			shared, _ = os.ReadFile(s.shared(name)) // without it, the same entries are shared again
		}
		if err := do(name, string(ours), string(shared)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) memoryOnHub(ctx context.Context, name string) (string, error) {
	if s.known[MemoryRef] == "" {
		return "", nil
	}
	return s.clone.git.call(ctx, call{args: []string{"cat-file", "blob", s.known[MemoryRef] + ":" + name}})
}

// newEntries are the entries of a text that another one doesn't have. What a person wrote between them is no entry.
func newEntries(text, other string) (fresh string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n") + "\n"
		if strings.HasPrefix(line, "- **") && strings.Contains(line, " [skill:") && !strings.Contains(other, line) {
			fresh += line
		}
	}
	return fresh
}

// appendTo appends lines to a file with some text, to which a run may append at the same moment.
func appendTo(file, text, lines string) error {
	if lines == "" {
		return nil
	}
	f, err := plainfile.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, plainfile.PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strings.TrimPrefix(appended(text, lines), text))
	return errors.Join(err, f.Close())
}
