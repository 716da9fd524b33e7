package cmd_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
)

func TestKilledAnywhereARunComesToTheSameEnd(t *testing.T) { endedAnywhere(t, os.Kill, 1, 30) }

func TestCtrlCAnywhereARunComesToTheSameEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent a Ctrl-C here")
	}
	endedAnywhere(t, os.Interrupt, 1, 20)
}

// endedAnywhere runs the story again and again until its processes were ended often enough: some times, or with -full
// many.
func endedAnywhere(t *testing.T, by os.Signal, some, many int) {
	leftToCI(t)
	t.Parallel()
	place := newPlace(t)
	fresh := filepath.Join(place.dir, "fresh")
	copyTree(t, place.repo, fresh)
	began := time.Now()
	place.drive(t, place.process(t, nil))
	k := &killer{by: by, chance: chance(), within: time.Since(began) / 2}
	want := place.ending(t)

	enough := some
	if *full {
		enough = many
	}
	for runs := 1; k.kills < enough; runs++ {
		if runs > 2*enough {
			t.Fatalf("%d runs met only %d kills", runs, k.kills)
		}
		again := filepath.Join(place.dir, "again")
		copyTree(t, fresh, again)
		place.restore(t, again)
		k.met = nil
		place.drive(t, place.process(t, k))
		if diff := cmp.Diff(want, place.ending(t)); diff != "" {
			t.Fatalf("killed %s, the run ended otherwise (-uninterrupted +killed):\n%s%s", strings.Join(k.met, ", "), diff, place.journal(t))
		}
		place.noProcesses(t)
	}
	t.Logf("%d kills, the last run %s", k.kills, strings.Join(k.met, ", "))
}

// killer ends processes at random moments.
type killer struct {
	by     os.Signal
	chance *rand.Rand
	within time.Duration
	kills  int
	met    []string // where the session stood
	spare  bool     // the dispatch at hand was cut off twice: a third cut would spend its attempt
}

// process runs commands as processes of their own, which the killer, if there is one, kills.
func (p *place) process(t *testing.T, k *killer) command {
	return func(args ...string) (int, string) {
		if k != nil && args[0] != "answer" {
			args = append(args, "--json")
		}
		var said, printed bytes.Buffer
		c := exec.Command("autopilot", args...)
		c.Dir, c.Env, c.Stderr = p.repo, p.env, &said
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		replied := make(chan struct{})
		if k != nil {
			go k.kill(c.Process, k.moment(), replied, done)
		}
		read(io.TeeReader(out, &printed), replied)
		_ = c.Wait() // the exit code says it
		close(done)
		code := c.ProcessState.ExitCode()
		if code == killed || code == interrupted {
			k.look(p)
		}
		return code, said.String() + printed.String()
	}
}

// moment is what the next kill waits for.
type moment struct {
	delay time.Duration
	spare bool
}

func (k *killer) moment() moment {
	return moment{delay: time.Duration(k.chance.Int64N(int64(k.within))), spare: k.spare}
}

func (k *killer) kill(victim *os.Process, m moment, replied, done <-chan struct{}) {
	if m.spare {
		select {
		case <-replied:
		case <-done:
			return
		}
	}
	select {
	case <-time.After(m.delay):
		_ = victim.Signal(k.by) // it may have ended by itself meanwhile
	case <-done:
	}
}

// look remembers where the kill met the session, and whether the dispatch at hand has to be spared now.
func (k *killer) look(p *place) {
	k.kills++
	s, _, err := sessions.Read(p.session(), sessions.Options{Now: time.Now})
	if err != nil {
		k.met, k.spare = append(k.met, err.Error()), false
		return
	}
	k.met = append(k.met, string(s.CurrentState)+" "+string(s.Step))
	cuts := s.Phases[s.CurrentPhase].Cuts
	if task, ok := s.Task(s.CurrentTask); ok && s.CurrentState == machine.Execute {
		cuts = task.Cuts
	}
	if _, flying := machine.Next(s).Dispatching(); flying {
		cuts++
	}
	k.spare = cuts >= 2
}

// read reads what the program prints until its end, and tells of the first reply.
func read(out io.Reader, replied chan<- struct{}) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	told := false
	for lines.Scan() {
		var note struct{ Event, Status string }
		if json.Unmarshal(lines.Bytes(), &note) == nil && note.Event == "reply" && note.Status != "" && !told {
			told = true
			close(replied)
		}
	}
}

// noProcesses makes sure that nothing is left that works in the place.
func (p *place) noProcesses(t *testing.T) {
	t.Helper()
	for _, command := range workingIn(t, p.dir) {
		t.Errorf("a process is left over: %s", command)
	}
}

// workingIn are the command lines of the processes that stand in a folder, or in one below it.
func workingIn(t *testing.T, dir string) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range links {
		cwd, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(cwd, dir) {
			continue // it ended, or is none of ours
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
		found = append(found, string(bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
	}
	return found
}
