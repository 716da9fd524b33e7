//go:build unix

package process

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// parentRole makes the test binary a caller of Run that a test can kill: it
// runs the shell command in the variable, with the lock file named in the next.
const (
	parentRole = "PROCESS_TEST_PARENT"
	parentLock = "PROCESS_TEST_LOCK"
)

// init keeps a supervisor's loop on the first thread, the one that hold stops; Go may move it to another.
func init() { runtime.LockOSThread() }

func TestMain(m *testing.M) {
	if code, was := Supervise(); was {
		os.Exit(code)
	}
	if command, ok := os.LookupEnv(parentRole); ok {
		os.Exit(beParent(command))
	}
	os.Exit(m.Run())
}

func beParent(command string) int {
	c := Shell(command, "")
	c.Output = os.Stdout
	if path := os.Getenv(parentLock); path != "" {
		lock, err := os.OpenFile(path, os.O_RDWR, 0)
		if err == nil {
			err = lockFile(lock)
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		c.LockFile = lock
	}
	if _, err := Run(context.Background(), c); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX) }
