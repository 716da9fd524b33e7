package supervise

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestTheOwnCgroupIsFoundInEitherLayout(t *testing.T) {
	const hybrid = "4:memory:/mem\n1:name=systemd:/user\n0::/user.slice/a.scope\n"
	for _, tc := range []struct{ name, listed, there, want string }{
		{"version 2 alone", "0::/user.slice/a.scope\n", "pure/user.slice/a.scope", "pure/user.slice/a.scope"},
		{"beside version 1", hybrid, "unified/user.slice/a.scope", "unified/user.slice/a.scope"},
		{"the root of a container", "0::/\n", "pure", "pure"},
		{"version 1 alone", "4:memory:/mem\n", "pure/mem", ""},
		{"not mounted", hybrid, "", ""},
		{"outside of what is mounted", "0::/../other\n", "pure", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			at := func(path string) string {
				if path == "" {
					return ""
				}
				return filepath.Join(dir, path)
			}
			if tc.there != "" {
				if err := os.MkdirAll(at(tc.there), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(at(tc.there), "cgroup.procs"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := folderOf(tc.listed, at("pure"), at("unified")); got != at(tc.want) {
				t.Errorf("got %q, want %q", got, at(tc.want))
			}
		})
	}
}

func TestACgroupEndsAndGoesWithItsCommand(t *testing.T) {
	const name = "autopilot-of-a-test"
	made := newGroup(name)
	if made == "" {
		t.Skip("no cgroup can be made here")
	}
	made.remove()
	folder := filepath.Join(ownGroup(), name)
	c := newCaller(t)
	if !c.launch(t, "/bin/sh", "mkdir -p "+folder+"/inner; sleep 60 & exit 4", name) {
		t.Fatal("not launched")
	}
	c.report(t)
	if string(c.s.group) != folder {
		t.Errorf("it runs in %q", c.s.group)
	}
	c.s.run()
	if last := c.report(t); last.Code != 4 {
		t.Errorf("got %+v", last)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the cgroup is left")
	}
}

func TestACommandRunsWithoutACgroupThatIsRefused(t *testing.T) {
	g := group(t.TempDir()) // no cgroup
	pid, err := g.start("/bin/true", []string{"true"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{}})
	if err != nil || g != "" {
		t.Fatalf("got %v, and the group %q", err, g)
	}
	var ws syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &ws, 0, nil); err != nil || ws.ExitStatus() != 0 {
		t.Errorf("it ended with %d, %v", ws.ExitStatus(), err)
	}
}
