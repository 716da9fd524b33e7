package learnings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/words"
	"autopilot/sessions/storage"
)

// fileName is what the learnings of a session, and those of all, are called.
const fileName = "learnings.md"

// Learning is one line of learnings.md: `- **YYYY-MM-DD [skill:S] [outcome:O]:** text`.
type Learning struct {
	Date    time.Time
	Skill   string
	Outcome string // gotcha, decision, observation, success …
	Text    string
}

// promoted are the outcomes that the next session should know as well.
var promoted = []string{"gotcha", "decision", "observation"}

var learningLine = lazyregexp.New(`^- \*\*(\d{4}-\d\d-\d\d) \[skill:([^\]]*)\] \[outcome:([^\]]*)\]:\*\* (.*?)(?: <!-- key:\S+ -->)?\s*$`)

// String is the line without its end and key.
func (l Learning) String() string {
	return fmt.Sprintf("- **%s [skill:%s] [outcome:%s]:** %s", l.Date.UTC().Format(time.DateOnly), l.Skill, inMark(l.Outcome), words.OneLine(l.Text))
}

// Brief are learnings as the lines of a brief.
func Brief(list []Learning) (lines []string) {
	for _, l := range list {
		lines = append(lines, strings.TrimPrefix(l.String(), "- "))
	}
	return lines
}

// inMark is a word of an agent that cannot end the mark it stands in.
func inMark(word string) string { return strings.ReplaceAll(words.OneLine(word), "]", ")") }

// Key is the same for the same insight in the same words; date and skill do not count.
func (l Learning) Key() string {
	sum := sha256.Sum256([]byte(l.Outcome + "\n" + strings.ToLower(words.OneLine(l.Text))))
	return hex.EncodeToString(sum[:8])
}

// Files are the files of what a session learned, and of what all sessions of a .harness folder did.
type Files struct {
	session, harness string // folders
	disk             storage.Disk
	log              func(path, line, key string) error
}

// Of gives the files of a session's folder in a .harness folder; log appends a line to a file, once by its key.
func Of(session, harness string, disk storage.Disk, log func(path, line, key string) error) Files {
	return Files{session, harness, disk, log}
}

// Learn appends to the session's learnings. An entry with the same key is written once.
func (s Files) Learn(l Learning, key string) error {
	return s.log(filepath.Join(s.session, fileName), keyed(l.String(), key), key)
}

// Promote appends the session's gotchas, decisions and observations to .harness/learnings.md, each once by its hash,
// and returns how many were new.
func (s Files) Promote() (int, error) {
	own, err := readLearnings(s.disk, filepath.Join(s.session, fileName))
	if err != nil {
		return 0, err
	}
	path := filepath.Join(s.harness, fileName)
	there, err := readLearnings(s.disk, path)
	if err != nil {
		return 0, err
	}
	pruned, err := archivedLearnings(s.disk, s.harness)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	for _, l := range append(there, pruned...) {
		known[l.Key()] = true
	}
	added := 0
	for _, l := range own {
		if !slices.Contains(promoted, l.Outcome) || known[l.Key()] {
			continue
		}
		if err := s.log(path, keyed(l.String(), l.Key()), l.Key()); err != nil {
			return added, err
		}
		known[l.Key()] = true
		added++
	}
	return added, nil
}

// Newest are the session's and the project's learnings, newest first, as many as Fit.
func (s Files) Newest(budget int) ([]Learning, error) {
	own, err := readLearnings(s.disk, filepath.Join(s.session, fileName))
	if err != nil {
		return nil, err
	}
	all, err := readLearnings(s.disk, filepath.Join(s.harness, fileName))
	if err != nil {
		return nil, err
	}
	return Fit(newestFirst(append(all, own...)), budget), nil
}

func newestFirst(all []Learning) []Learning {
	slices.Reverse(all) // what stands further down is newer; the sort keeps that within a day
	slices.SortStableFunc(all, func(a, b Learning) int { return b.Date.Compare(a.Date) })
	return all
}

// Fit are the first of a list, each once, as many as fit into a budget of tokens (four bytes each). A budget of 0 or
// less gives none.
func Fit(all []Learning, budget int) (fit []Learning) {
	seen := map[string]bool{}
	for _, l := range all {
		if seen[l.Key()] {
			continue
		}
		if budget -= (len(l.String()) + 3) / 4; budget < 0 {
			break
		}
		seen[l.Key()] = true
		fit = append(fit, l)
	}
	return fit
}

// readLearnings reads the entries of a file; what is no entry is a human's prose and passed over.
func readLearnings(disk storage.Disk, path string) ([]Learning, error) {
	text, err := readText(disk, path)
	return learningsIn(text), err
}

// readText reads a plain file; one that is not there is empty.
func readText(disk storage.Disk, path string) (string, error) {
	if err := storage.Plain(disk, path); err != nil {
		return "", err
	}
	text, err := disk.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading learnings: %w", err)
	}
	return string(text), nil
}

func learningsIn(text string) []Learning {
	var all []Learning
	for line := range strings.Lines(text) {
		if l, ok := parseLearning(line); ok {
			all = append(all, l)
		}
	}
	return all
}

func parseLearning(line string) (Learning, bool) {
	m := learningLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
	if m == nil {
		return Learning{}, false
	}
	date, err := time.Parse(time.DateOnly, m[1])
	return Learning{Date: date, Skill: m[2], Outcome: m[3], Text: m[4]}, err == nil
}

func keyed(line, key string) string {
	if key == "" {
		return line
	}
	return line + " <!-- key:" + key + " -->"
}

// Failure is one line of .harness/failures.md: `- **YYYY-MM-DD [skill:S] [type:T]:** text`.
type Failure struct {
	Date  time.Time
	Skill string
	Type  string
	Text  string
}

// String is the line without its end and key.
func (f Failure) String() string {
	return fmt.Sprintf("- **%s [skill:%s] [type:%s]:** %s", f.Date.UTC().Format(time.DateOnly), f.Skill, f.Type, words.OneLine(f.Text))
}

// Fail appends to .harness/failures.md. An entry with the same key is written once.
func (l Files) Fail(f Failure, key string) error {
	return l.log(filepath.Join(l.harness, "failures.md"), keyed(f.String(), key), key)
}
