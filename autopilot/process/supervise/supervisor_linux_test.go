package supervise

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// caller plays the other side of a supervisor that runs inside the test: the
// tests here are not parallel, since it reaps every child of the process.
type caller struct {
	s       *supervisor
	control *os.File
	reports *os.File
}

func newCaller(t *testing.T) *caller {
	t.Helper()
	controlIn, control := pipe(t)
	reports, reportOut := pipe(t)
	t.Cleanup(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) })
	return &caller{
		s:       newSupervisor(controlIn, reportOut),
		control: control, reports: reports,
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func (c *caller) launch(t *testing.T, path, script string, group ...string) bool {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	req := Request{Path: path, Argv: []string{"sh", "-c", script}, Env: os.Environ(), Grace: 50 * time.Millisecond, Group: strings.Join(group, "")}
	return c.s.launch(req, [3]uintptr{null.Fd(), null.Fd(), null.Fd()})
}

func (c *caller) report(t *testing.T) Report {
	t.Helper()
	r, err := ReadReport(c.reports)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSupervisorReportsTheEnd(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		act          func(*caller)
		want         Report
	}{
		{"own end", "exit 9", func(*caller) {}, Report{Done: true, Code: 9}},
		{"background is ended too", "sleep 60 & exit 8", func(*caller) {}, Report{Done: true, Code: 8}},
		{
			"order", "sleep 60", func(c *caller) { _ = WriteStop(c.control) },
			Report{Done: true, Code: 143, Signal: syscall.SIGTERM, Stopped: true},
		},
		{
			"order to a deaf one", `trap "" TERM; sleep 60`, func(c *caller) { _ = WriteStop(c.control) },
			Report{Done: true, Code: 137, Signal: syscall.SIGKILL, Stopped: true},
		},
		{
			"dead caller", "sleep 60", func(c *caller) { c.control.Close() },
			Report{Done: true, Code: 137, Signal: syscall.SIGKILL, Stopped: true},
		},
		{
			"signal", "sleep 60", func(c *caller) { c.s.signals <- syscall.SIGHUP },
			Report{Done: true, Code: 143, Signal: syscall.SIGTERM, Stopped: true},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newCaller(t)
			if tc.name == "order to a deaf one" {
				c.s.living = deafAtFirst(c.s.living)
			}
			if !c.launch(t, "/bin/sh", tc.script) {
				t.Fatal("not launched")
			}
			if first := c.report(t); first.Pid == 0 || first.Failure != "" {
				t.Fatalf("first report %+v", first)
			}
			tc.act(c)
			c.s.run()
			if last := c.report(t); !sameReport(last, tc.want) {
				t.Errorf("got %+v, want %+v", last, tc.want)
			}
		})
	}
}

// A supervisor that was stopped may find that its command ended before it finds that its caller did.
func TestADeadCallersEndIsNotedWhateverIsSeenFirst(t *testing.T) {
	c := newCaller(t)
	if !c.launch(t, "/bin/sh", "exit 3") {
		t.Fatal("not launched")
	}
	c.report(t)
	c.reports.Close() // and control stays open: the end of the caller is not seen yet
	c.s.ended = filepath.Join(t.TempDir(), "lock.ended")
	c.s.run()
	if EndedAt(c.s.ended).IsZero() {
		t.Error("the end is not noted")
	}
}

// deafAtFirst hides the tree from the SIGTERM and the SIGCONT after it, which
// a shell might get before it has set its trap.
func deafAtFirst(living func(int) []int) func(int) []int {
	calls := 0
	return func(pid int) []int {
		if calls++; calls <= 2 {
			return nil
		}
		return Living(os.Getpid(), pid)
	}
}

func TestSupervisorReportsWhatCannotStart(t *testing.T) {
	c := newCaller(t)
	if c.launch(t, "/no/such/program", "") {
		t.Fatal("launched")
	}
	if r := c.report(t); r.Failure == "" || syscall.Errno(r.Errno) != syscall.ENOENT {
		t.Errorf("got %+v", r)
	}
}

func TestSupervisorTellsWhoCannotBeEndedAndGoesOn(t *testing.T) {
	const nobody = 1 << 30
	var mortal atomic.Bool
	c := newCaller(t)
	c.s.patience = 30 * time.Millisecond
	c.s.living = func(pid int) []int {
		if mortal.Load() {
			return Living(os.Getpid(), pid)
		}
		return []int{nobody}
	}
	if !c.launch(t, "/bin/sh", "sleep 60") {
		t.Fatal("not launched")
	}
	c.report(t)
	if err := WriteStop(c.control); err != nil {
		t.Fatal(err)
	}
	reported := make(chan Report)
	go func() {
		r, _ := ReadReport(c.reports)
		mortal.Store(true)
		reported <- r
	}()
	c.s.run()
	r := <-reported
	if len(r.Left) != 1 || r.Left[0] != nobody || r.Code != -1 || !r.Stopped {
		t.Errorf("got %+v", r)
	}
}

func sameReport(a, b Report) bool {
	return a.Done == b.Done && a.Code == b.Code && a.Signal == b.Signal && a.Stopped == b.Stopped && len(a.Left) == len(b.Left)
}
