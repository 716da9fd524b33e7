package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
)

var binaries string

// build builds the programs once. A worker that is killed is noticed sooner than it would be otherwise.
func build(t *testing.T) {
	binaries = t.TempDir()
	for folder, args := range map[string][]string{
		".":     {"-ldflags", "-X autopilot/temporal/flow.lostAfter=8s", "./autopilot-temporal"},
		"../..": {"./cmd/autopilot"},
	} {
		if out, err := exec.Command("go", append([]string{"build", "-C", folder, "-o", binaries}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("go build %v: %v\n%s", args, err, out)
		}
	}
}

// program is a process that is started again with the same arguments.
type program struct {
	*fleet
	name string
	env  []string
	argv []string

	mu  sync.Mutex
	cmd *exec.Cmd
}

func (f *fleet) program(name string, env []string, argv ...string) *program {
	return &program{fleet: f, name: name, env: env, argv: argv}
}

func (p *program) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	log, err := os.OpenFile(filepath.Join(p.dir, p.name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.Error(err)
		return
	}
	defer log.Close()
	p.cmd = exec.Command(p.argv[0], p.argv[1:]...)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = p.dir, append(slices.Clone(p.fleet.env), p.env...), log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		p.Error(err)
	}
}

// signal sends a signal to the program alone, not to what it started.
func (p *program) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.Error(err)
	}
}

// gone is the exit code of a program that wasn't there any more.
const gone = -100

// end sends a signal, and waits for the end.
func (p *program) end(s syscall.Signal) (code int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cmd == nil {
		return gone
	}
	_ = p.cmd.Process.Signal(s)
	_ = p.cmd.Wait()
	code, p.cmd = p.cmd.ProcessState.ExitCode(), nil
	return code
}
