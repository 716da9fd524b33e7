package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// sandboxProgram is what commands are confined by, where it is there.
const sandboxProgram = "bwrap"

// Sandbox is how a command is confined by bubblewrap. It sees the file system read-only, with a /tmp and a /run of its
// own, and no process but those that it starts. Paths are absolute; what is not there is left out.
type Sandbox struct {
	Home     string   // a folder that the command gets in place of the user's home; "" hides that behind an empty one
	Kept     []string // folders of the user's home that stay visible, read-only
	Writable []string // bound as they are, in this order
	ReadOnly []string // the same, read-only, after Writable
	Inner    []string // and within those: writable again
	Network  bool
}

// Wrap gives the command that runs c in the sandbox.
func (s Sandbox) Wrap(c Command) Command {
	home := valueIn(c.Env, "HOME")
	argv := append([]string{sandboxProgram}, confined...)
	add := func(option string, paths ...string) {
		for _, p := range paths {
			if _, err := os.Lstat(p); p != "" && err == nil {
				argv = append(argv, option, p, p)
			}
		}
	}
	if s.Network {
		add("--ro-bind", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager") // where names are looked up
	} else {
		argv = append(argv, "--unshare-net")
	}
	if home != "" && home != "/" {
		if s.Home == "" {
			argv = append(argv, "--tmpfs", home)
		} else {
			argv = append(argv, "--bind", s.Home, home)
		}
		add("--ro-bind", s.Kept...)
	}
	add("--bind", s.Writable...)
	add("--ro-bind", s.ReadOnly...)
	add("--bind", s.Inner...)
	if c.Dir != "" {
		argv = append(argv, "--chdir", c.Dir)
	}
	c.Argv = append(append(argv, "--"), c.Argv...)
	c.Env = append(withoutName(c.Env, "TMPDIR"), "TMPDIR=/tmp")
	return c
}

// confined are the options of every sandbox: it ends with who started it.
var confined = []string{
	"--die-with-parent", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",
}

// ProbeSandbox tries whether commands can be confined here: nil is that they can. The error says what to do.
func ProbeSandbox(ctx context.Context, env []string) error {
	var said strings.Builder
	c := Sandbox{}.Wrap(Command{Argv: []string{"true"}, Env: env, Output: &said, Timeout: 10 * time.Second})
	result, err := Run(ctx, c)
	var start *StartError
	switch {
	case errors.As(err, &start):
		return fmt.Errorf("there is no bubblewrap (%s) on PATH; install it: apt install bubblewrap, dnf install bubblewrap or the like, on Linux", sandboxProgram)
	case err != nil:
		return err
	case result.Interrupted:
		return ctx.Err()
	case result.ExitCode != 0:
		return fmt.Errorf("bubblewrap does not work here: %s; allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0), or run without a sandbox",
			strings.TrimSuffix(firstLine(said.String()), "."))
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return "it says nothing"
	}
	return line
}

func valueIn(env []string, name string) string {
	value := ""
	for _, kv := range env {
		if v, is := strings.CutPrefix(kv, name+"="); is {
			value = filepath.Clean(v)
		}
	}
	return value
}

func withoutName(env []string, name string) []string {
	var rest []string
	for _, kv := range env {
		if !strings.HasPrefix(kv, name+"=") {
			rest = append(rest, kv)
		}
	}
	return rest
}
