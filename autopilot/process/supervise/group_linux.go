package supervise

import (
	"os"
	"strings"
	"syscall"
)

// A command runs in a cgroup of its own where the system lets one be made below the supervisor's: what it starts stays in
// there without an environment and after the supervisor was killed, and is killed at once. Elsewhere the supervisor has to
// do. A cgroup is no wall: what may write to the one above can leave.

// GroupName names the cgroup of a command by its mark.
func GroupName(mark string) string { return "autopilot-" + mark }

// group is the folder of a command's cgroup; "" is none.
type group string

func newGroup(name string) group {
	above := ownGroup()
	if name == "" || above == "" || os.Mkdir(above+"/"+name, 0o700) != nil {
		return ""
	}
	return group(above + "/" + name)
}

// ownGroup is the folder of the cgroup (version 2) that this process is in; "" where it is not to be seen.
func ownGroup() string {
	listed, _ := os.ReadFile("/proc/self/cgroup")
	return folderOf(string(listed), "/sys/fs/cgroup", "/sys/fs/cgroup/unified")
}

func folderOf(listed string, mounts ...string) string {
	for line := range strings.Lines(listed) {
		path, is := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for _, mount := range mounts {
			folder := mount + strings.TrimSuffix(path, "/")
			if _, err := os.Stat(folder + "/cgroup.procs"); is && err == nil {
				return folder
			}
		}
	}
	return ""
}

// start starts a command in the group; without one where the kernel refuses that.
func (g *group) start(path string, argv []string, attr *syscall.ProcAttr) (pid int, err error) {
	if folder, err := os.Open(string(*g)); err == nil {
		defer folder.Close()
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, int(folder.Fd())
		if pid, err = syscall.ForkExec(path, argv, attr); err == nil {
			return pid, nil
		}
		attr.Sys.UseCgroupFD = false
		g.remove()
	}
	return syscall.ForkExec(path, argv, attr)
}

// kill ends all that is in the group. Linux before 5.14 can't: the supervisor's own list has to do.
func (g *group) kill() {
	if *g != "" {
		_ = os.WriteFile(string(*g)+"/cgroup.kill", []byte("1"), 0)
	}
}

func (g *group) remove() {
	if *g != "" {
		_ = removeGroup(string(*g))
		*g = ""
	}
}

// RemoveGroups removes the groups below this process's own whose mark begins so. It says whether none is left: one is
// busy as long as a process that was killed is not quite gone.
func RemoveGroups(mark string) bool {
	above, busy := ownGroup(), false
	entries, _ := os.ReadDir(above)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), GroupName(mark)) {
			busy = removeGroup(above+"/"+e.Name()) != nil || busy
		}
	}
	return !busy
}

// removeGroup removes a group with those that the command made in it, unless a process is in one.
func removeGroup(folder string) error {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() {
			_ = removeGroup(folder + "/" + e.Name())
		}
	}
	return syscall.Rmdir(folder)
}
