package cmd_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ending is what a run leaves behind, in words that are the same for every run of the story: no times, usage or
// interruptions, no ids, and trees in place of commits.
type ending struct {
	Branch, Tree, Status, Index string
	Commits                     []string // subject, trailers, tree
	Files                       map[string]string
	Harness                     []string // the names of its files
	State                       any
	Documents                   map[string]any
	Learnings, Promoted         []string
	Failures                    []string
	Attempts                    []string // how they ended, by progress.txt
	Leftover                    []string
}

func (p *place) ending(t *testing.T) ending {
	t.Helper()
	same := p.sameness(t)
	e := ending{
		Branch: p.git(t, "symbolic-ref", "HEAD"),
		Tree:   p.git(t, "rev-parse", "HEAD^{tree}"),
		Status: p.git(t, "status", "--porcelain", "-uall"),
		Index:  p.git(t, "ls-files", "--stage"),
		Files:  map[string]string{}, Documents: map[string]any{}, State: same.document(t, p.session()+"/autopilot-state.json"),
		Learnings: same.lines(t, p.session()+"/learnings.md"), Promoted: same.lines(t, p.repo+"/.harness/learnings.md"),
		Failures: same.lines(t, p.repo+"/.harness/failures.md"),
	}
	for commit := range strings.SplitSeq(p.git(t, "log", "--format=%s%n%b%n%T%x00"), "\x00") {
		e.Commits = append(e.Commits, same.text(strings.TrimSpace(commit)))
	}
	p.look(t, &e, same)
	for _, line := range same.lines(t, p.session()+"/progress.txt") {
		if strings.HasPrefix(line, "Completed ") || strings.HasPrefix(line, "ERROR ") {
			e.Attempts = append(e.Attempts, line)
		}
	}
	return e
}

// look looks at every file of the working tree, of .harness, and of what the program keeps in the git folder.
func (p *place) look(t *testing.T, e *ending, same sameness) {
	t.Helper()
	walk(t, p.repo, func(name string) {
		switch {
		case strings.HasPrefix(name, ".git/"):
		case strings.HasPrefix(name, ".harness/"):
			e.Harness = append(e.Harness, name)
			if strings.HasSuffix(name, ".json") && !strings.Contains(name, "autopilot-state.json") {
				e.Documents[name] = same.document(t, filepath.Join(p.repo, name))
			}
		default:
			data, err := os.ReadFile(filepath.Join(p.repo, name))
			if err != nil {
				t.Fatal(err)
			}
			e.Files[name] = string(data)
		}
	})
	for _, dir := range []string{".harness/out", ".harness/worktrees", ".git/worktrees", ".git/autopilot", ".git/info", "../tmp"} {
		walk(t, filepath.Join(p.repo, dir), func(name string) {
			if !strings.HasPrefix(name, "kept/") && name != "keep" && name != "exclude" {
				e.Leftover = append(e.Leftover, filepath.Join(dir, name))
			}
		})
	}
	for _, name := range e.Harness {
		if strings.HasSuffix(name, ".tmp") || strings.Contains(name, ".edited-") || strings.Contains(name, ".bad-") {
			e.Leftover = append(e.Leftover, name)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(p.repo, ".harness", "out")); err == nil && len(entries) > 0 {
		e.Leftover = append(e.Leftover, ".harness/out is not empty")
	}
}

func walk(t *testing.T, dir string, see func(name string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		see(filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sameness puts what differs from run to run into the same words.
type sameness struct{ trees map[string]string }

func (p *place) sameness(t *testing.T) sameness {
	s := sameness{trees: map[string]string{}}
	for line := range strings.Lines(p.git(t, "log", "--all", "--format=%H %T")) {
		commit, tree, _ := strings.Cut(strings.TrimSpace(line), " ")
		s.trees[commit] = "tree:" + tree
	}
	return s
}

var (
	sha      = regexp.MustCompile(`[0-9a-f]{40}`)
	shortSHA = regexp.MustCompile(`\(commit [0-9a-f]{8}\)`)
	keyLine  = regexp.MustCompile(`Autopilot-Key: \S+`)
	keyMark  = regexp.MustCompile(` (<!-- key:\S+ -->|\{#\S+\})`)
	gateID   = regexp.MustCompile(`\bg\d+\b`) // the revision at which it opened is in it
	stamp    = regexp.MustCompile(`^\[[^\]]*\] \[SESSION-\d+\] `)
)

func (s sameness) text(text string) string {
	text = sha.ReplaceAllStringFunc(text, func(id string) string {
		if tree, ok := s.trees[id]; ok {
			return tree
		}
		return id
	})
	text = gateID.ReplaceAllString(text, "gN")
	text = shortSHA.ReplaceAllString(keyLine.ReplaceAllString(text, "Autopilot-Key: KEY"), "(commit C)")
	return stamp.ReplaceAllString(keyMark.ReplaceAllString(text, ""), "")
}

// lines reads a file that only grows; one that is not there has none.
func (s sameness) lines(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		lines = append(lines, s.text(strings.TrimSpace(line)))
	}
	return lines
}

func (s sameness) document(t *testing.T, path string) any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s.value(v)
}

// passing are the keys of what may differ: times, usage, interruptions, and the numbers of revisions.
var passing = []string{
	"stateCrc", "revision", "sessionId", "usage", "usageAtStart", "spent", "spentPlanning", "spentTasks", "leastTask", "mostTask", "finalSpent", "metrics", "elapsedSeconds", "runs", "updatedAt", "interruptions", "cuts",
	"at", "raisedAt", "timestamp", "startedAt", "completedAt", "askedAt", "gate", "seconds", "time", "created", "session_count", "last_session", "completed_at", "key",
	"snapshots", // of the last run that did not come to the end
	"before",    // not known where that could not be run
}

func (s sameness) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		for key := range v {
			if slices.Contains(passing, key) {
				delete(v, key)
				continue
			}
			v[key] = s.value(v[key])
		}
	}
	return v
}
