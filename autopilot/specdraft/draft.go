// Package specdraft has the planner write a spec of what a human wants, before there is a session.
//
// A call goes: Draft.Make finds the file, dispatches the planner as every persona is dispatched, takes back what it did beside
// that file, and reads the spec as a run would; one that is none goes back once. What has to be known after a stop lies in
// .harness/drafts/<name>, and nothing else of the program's state is touched.
package specdraft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot"
	"autopilot/autopilot/dispatch"
	"autopilot/autopilot/git"
	"autopilot/autopilot/journal"
	"autopilot/autopilot/words"
	"autopilot/personas"
	"autopilot/spec"
	"autopilot/spec/markdown"
)

// Draft is a spec that the planner is to write of what a human wants.
type Draft struct {
	Repo     *git.Repo
	Persona  personas.Persona // the planner, as it drafts specs
	Backends dispatch.Backends
	Mask     *personas.Mask // takes secrets out of what is sent and written; may be nil
	Report   journal.Reporter
	NewID    func() string
	LockFile *os.File // handed to the supervisor of child processes; may be nil
	// KilledAt is when the planner ended whose run was killed while it was at work; zero: not known.
	KilledAt  time.Time
	Settings  autopilot.Settings
	Learnings []string // of the project, within their budget
	Wish      string   // in the human's words
	Name      string   // of the file, without its ending; "" makes one of the wish

	file   string // relative to the repository, with slashes
	dir    string // .harness/drafts/<name>
	record draftRecord
	undone []string // what was put right after the last dispatch
}

// Folder is where drafted specs lie, relative to the repository.
const Folder = "docs/specs"

// maxSpecDrafts is how often the planner is dispatched for one spec: again where it crashed, or what it wrote is none.
const maxSpecDrafts = 3

// Drafted is a file that the planner wrote, and how it reads.
type Drafted struct {
	Path     string             // relative to the repository, with slashes
	Spec     *spec.Spec         // nil: it is no spec
	Problems []markdown.Problem // what keeps it from being one; else its warnings
	missing  bool               // there is no such file
}

// PersonError says that a person plays the planner, and what is to be done until the same command goes on.
type PersonError struct{ Detail string }

func (e *PersonError) Error() string { return e.Detail }

// Make drafts the spec, or goes on with a draft of the same words that was stopped. Errors: *PersonError, *budget.LimitError, and of
// package halt *UsageError, *NoBackendError, *CredentialsError, *InterruptedError; any other is a planner that made no draft.
func (d *Draft) Make(ctx context.Context) (*Drafted, error) {
	backend, name, err := d.Backends.For(d.Persona)
	if err != nil {
		return nil, err
	}
	if err := d.Repo.Config.Pin(ctx); err != nil {
		return nil, err
	}
	if err := d.begin(ctx); err != nil {
		return nil, err
	}
	for {
		out, err := d.dispatch(ctx, backend)
		if err == nil && out.Kind == personas.Crashed && ctx.Err() == nil && d.record.Attempt < maxSpecDrafts {
			d.say("warning", "The planner crashed, and is dispatched again: %s", words.OneLine(out.Detail))
			if err := d.again(append([]string{out.Detail}, d.undone...)...); err != nil {
				return nil, err
			}
			continue
		}
		if err == nil {
			err = d.judge(ctx, out, name, personas.RemedyOf(backend))
		}
		if err != nil {
			return nil, d.left(err)
		}
		drafted, err := readDraft(d.Repo.Root(), d.file)
		if err != nil {
			return nil, err
		}
		if drafted.Spec != nil || d.record.Attempt >= maxSpecDrafts {
			d.tell(*out.Reply)
			if drafted.missing {
				return nil, fmt.Errorf("the planner made no draft: it says done, and wrote no %s\nSay more of what you want, then try again", d.file)
			}
			d.record.Done = true
			return drafted, d.save()
		}
		if err := d.sendBack(drafted.Problems); err != nil {
			return nil, err
		}
	}
}

// judge is why a dispatch brought no draft; nil is a reply that says done.
func (d *Draft) judge(ctx context.Context, out personas.Outcome, backend, remedy string) error {
	if out.Kind == personas.Waiting && ctx.Err() == nil {
		return &PersonError{Detail: out.Detail}
	}
	if err := dispatch.NoDraft(ctx, out, backend, remedy); err != nil || out.Reply.Status == personas.StatusDone {
		return err
	}
	return fmt.Errorf("the planner made no draft, it says %s: %s\nSay more of what you want, then try again",
		out.Reply.Status, cmp.Or(out.Reply.Blocker, out.Reply.Summary))
}

// left says with an error where the draft is, as far as it was written.
func (d *Draft) left(err error) error {
	if _, missing := os.Lstat(d.path()); missing != nil {
		return err
	}
	return fmt.Errorf("%w\nWhat was written so far is in %s", err, d.file)
}

// readDraft reads a draft as a run would. A file that is not there, or is none, is a problem as any other.
func readDraft(dir, file string) (*Drafted, error) {
	drafted := &Drafted{Path: file}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	src, err := readRegular(root, filepath.FromSlash(file))
	if err != nil {
		what := "it cannot be read: " + err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			what, drafted.missing = "the planner wrote no such file", true
		}
		drafted.Problems = []markdown.Problem{{Line: 1, Message: what, Hint: "write the spec to " + file}}
		return drafted, nil
	}
	drafted.Spec, err = spec.Parse(src)
	if bad, ok := errors.AsType[*markdown.ParseError](err); ok {
		drafted.Problems = bad.Problems
		return drafted, nil
	}
	if err != nil {
		return drafted, err
	}
	if drafted.Problems = drafted.Spec.Unread; len(drafted.Problems) > 0 {
		drafted.Spec = nil // a run would not begin with it
	} else {
		drafted.Problems = drafted.Spec.Warnings
	}
	return drafted, nil
}

// readRegular reads a file inside a root: no link, nothing that leads out of it.
func readRegular(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err != nil {
		return nil, err
	}
	return root.ReadFile(name)
}

// sendBack has the next dispatch mend what is wrong with the draft.
func (d *Draft) sendBack(problems []markdown.Problem) error {
	text := (&markdown.ParseError{Problems: problems}).Error()
	d.say("warning", "The draft is no spec yet, and goes back to the planner: %s", strings.ReplaceAll(text, "\n", "; "))
	return d.again(append([]string{d.file + " stands as you left it, and is no spec yet:", text}, d.undone...)...)
}

// again begins the next attempt, whose prompt says why the last one failed.
func (d *Draft) again(why ...string) error {
	d.record.Attempt++
	d.record.Failure = strings.Join(why, "\n")
	return d.save()
}

// tell shows what the planner says of its draft.
func (d *Draft) tell(r personas.Reply) {
	d.say("info", "The planner says: %s", words.OneLine(r.Summary))
	for _, concern := range r.Concerns {
		d.say("info", "The planner is not sure: %s", words.OneLine(concern))
	}
}

func (d *Draft) say(event, format string, args ...any) {
	d.Report.Report(journal.Note{Event: event, Text: fmt.Sprintf(format, args...)})
}

func (d *Draft) path() string { return filepath.Join(d.Repo.Root(), filepath.FromSlash(d.file)) }

func (d *Draft) harness() string { return filepath.Join(d.Repo.Root(), ".harness") }

// name is what the draft is called in folders and refs.
func (d *Draft) name() string { return strings.TrimSuffix(path.Base(d.file), ".md") }
