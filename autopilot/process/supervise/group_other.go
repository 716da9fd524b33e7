//go:build unix && !linux

package supervise

import "syscall"

// GroupName is empty: there are no cgroups.
func GroupName(string) string { return "" }

type group struct{}

func newGroup(string) (none group) { return none }

func (*group) start(path string, argv []string, attr *syscall.ProcAttr) (int, error) {
	return syscall.ForkExec(path, argv, attr)
}

func (*group) kill() {}

func (*group) remove() {}
