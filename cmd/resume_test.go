package cmd_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/cmd"
	"autopilot/cmd/console"
	"autopilot/sessions/storage"
)

// full has tests take every row, point and mouth, and more kills; so does the variable RESUME_FULL=1. `go test ./...`
// takes samples, so that it stays short; .ci/run takes all.
var full = flag.Bool("full", os.Getenv("RESUME_FULL") == "1", "take every row, point and mouth, not a sample")

// leftToCI skips a test of many seconds that .ci/run has, and `go test ./...` has not.
func leftToCI(t *testing.T) {
	if !*full && os.Getenv("STORIES") != "all" {
		t.Skip("it is one of those that .ci/run plays")
	}
}

// seed chooses the sample and the moments of the kills.
var seed = flag.Uint64("seed", 1, "what chooses the sample of points and the moments of the kills")

func chance() *rand.Rand { return rand.New(rand.NewPCG(*seed, 0)) }

// sampled is how many points and rows a plain `go test` takes.
const sampled = 1

func TestResumeAtEveryJournalAppendComesToTheSameEnd(t *testing.T) {
	t.Parallel()
	place := newPlace(t)
	fresh := filepath.Join(place.dir, "fresh")
	copyTree(t, place.repo, fresh)
	var met []string
	place.drive(t, place.inProcess(journalDisk{appending: func(when string) {
		met = append(met, fmt.Sprintf("%03d-%s", len(met)/2+1, when))
	}}))
	want := place.ending(t)
	if len(met) < 200 {
		t.Fatalf("the run has %d points, far fewer than its steps", len(met))
	}

	points := sample(met)
	place.restore(t, fresh)
	passed := 0
	place.drive(t, place.inProcess(journalDisk{appending: func(string) {
		if slices.Contains(points, met[passed]) {
			copyTree(t, place.repo, filepath.Join(place.dir, met[passed]))
		}
		passed++
	}}))
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			place.restore(t, filepath.Join(place.dir, point))
			place.drive(t, place.inProcess(nil))
			if diff := cmp.Diff(want, place.ending(t)); diff != "" {
				t.Errorf("resumed, the run ended otherwise (-uninterrupted +resumed):\n%s%s", diff, place.journal(t))
			}
		})
	}
}

// sample takes a few of the rows, always the same ones for a seed, or with -full all of them.
func sample[T any](rows []T) []T {
	if *full || len(rows) <= sampled {
		return rows
	}
	var taken []T
	for _, i := range slices.Sorted(slices.Values(chance().Perm(len(rows))[:sampled])) {
		taken = append(taken, rows[i])
	}
	return taken
}

// command runs the program with arguments and returns its exit code.
type command func(args ...string) (code int, said string)

func TestStopAtAQuestionLeavesItOpenForTheNextRun(t *testing.T) {
	leftToCI(t)
	t.Parallel()
	place := newPlace(t)
	fresh := filepath.Join(place.dir, "fresh")
	copyTree(t, place.repo, fresh)
	place.drive(t, place.inProcess(nil))
	want := place.ending(t)
	place.restore(t, fresh)

	type said struct {
		typed string
		gate  machine.GateKind
		code  int
	}
	for _, s := range []said{
		{"stop\n", machine.GatePlanWanted, 3},
		{"", machine.GatePlanWanted, 3},
		{"stop\n", machine.GateApprovePlan, 3},
		{"what\nyes\n", "", 0},
	} {
		if s.gate == machine.GateApprovePlan {
			place.write(t, "plan/", place.repo)
		}
		if code, out := place.typing(s.typed); code != s.code {
			t.Fatalf("%q: exit code %d, want %d:\n%s", s.typed, code, s.code, out)
		}
		state := place.state(t)
		if s.gate != "" && (state.Gate == nil || state.Gate.Kind != s.gate) {
			t.Fatalf("%q: the open question is %+v, want %s", s.typed, state.Gate, s.gate)
		}
	}
	if diff := cmp.Diff(want, place.ending(t)); diff != "" {
		t.Errorf("stopped at its questions, the run ended otherwise (-uninterrupted +stopped):\n%s", diff)
	}
}

// inProcess runs commands in this process, on a disk that tells when the journal grows.
func (p *place) inProcess(disk storage.Disk) command {
	return func(args ...string) (int, string) {
		return unheld(args, func() console.Host {
			return console.Host{In: strings.NewReader(""), Dir: p.repo, Environ: p.env, Now: time.Now, Disk: disk}
		})
	}
}

// typing runs the story's command once, with a person at a terminal who types.
func (p *place) typing(keys string) (int, string) {
	return unheld([]string{"docs/spec.md", "--yes", "--replay", p.replay}, func() console.Host {
		return console.Host{In: strings.NewReader(keys), Terminal: true, Dir: p.repo, Environ: p.env, Now: time.Now}
	})
}

// unheld runs a command in this process, again where a lock is held: one that was closed may be for another moment, by a
// child that another test of this process is about to start.
func unheld(args []string, host func() console.Host) (code int, said string) {
	for range 100 {
		var out bytes.Buffer
		h := host()
		h.Out, h.Err = &out, &out
		code = cmd.Main(args, h)
		if said = out.String(); code != held {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return code, said
}

// drive types the same command until the session is done, and answers what it asks as a person would.
func (p *place) drive(t *testing.T, run command) {
	t.Helper()
	for range 300 {
		code, said := run("docs/spec.md", "--yes", "--non-interactive", "--replay", p.replay)
		switch code {
		case 0:
			return
		case 3:
			p.answer(t, run)
		case killed, interrupted, held:
		default:
			t.Fatalf("exit code %d:\n%s%s", code, said, p.journal(t))
		}
	}
	t.Fatal("the run does not come to its end")
}

// killed is the exit code of a process that a signal ended.
const killed = -1

// interrupted is the exit code after a Ctrl-C.
const interrupted = 130

// held is the exit code while the supervisor of a killed run still ends its child.
const held = 6

// answer does what a person does at the two questions of the run.
func (p *place) answer(t *testing.T, run command) {
	t.Helper()
	gate := p.state(t).Gate
	if gate == nil {
		t.Fatal("the run waits, and no question is open")
	}
	switch gate.Kind {
	case machine.GatePlanWanted:
		p.write(t, "plan/", p.repo)
	case machine.GateApprovePlan:
		if code, said := run("answer", "docs/spec.md", "yes"); !slices.Contains([]int{0, killed, interrupted, held}, code) {
			t.Fatalf("answer: exit code %d:\n%s", code, said)
		}
	default:
		t.Fatalf("the run asks what it should not: %s %s %q", gate.Kind, gate.Question, gate.Context)
	}
}

// journalDisk tells just before the journal gets a line, and just after the line is durable.
type journalDisk struct {
	storage.OSDisk
	appending func(when string)
}

func (d journalDisk) OpenFile(name string, flags int, perm os.FileMode) (storage.File, error) {
	f, err := d.OSDisk.OpenFile(name, flags, perm)
	if err != nil || filepath.Base(name) != "events.jsonl" || flags&os.O_RDWR == 0 {
		return f, err
	}
	return &journalFile{File: f, appending: d.appending}, nil
}

type journalFile struct {
	storage.File
	appending func(when string)
	written   bool
}

func (f *journalFile) WriteAt(p []byte, at int64) (int, error) {
	f.appending("before")
	f.written = true
	return f.File.WriteAt(p, at)
}

func (f *journalFile) Sync() error {
	err := f.File.Sync()
	if f.written && err == nil {
		f.written = false
		f.appending("after")
	}
	return err
}
