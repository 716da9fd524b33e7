package process

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

func TestMain(m *testing.M) {
	if code, was := Supervise(); was {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestWhatACommandStartedEndsWithItsJob: a child that its parent left behind ends with the command.
func TestWhatACommandStartedEndsWithItsJob(t *testing.T) {
	switch os.Getenv("AUTOPILOT_TEST_FAMILY") {
	case "parent":
		child := exec.Command(os.Args[0], "-test.run", t.Name())
		child.Env = append(os.Environ(), "AUTOPILOT_TEST_FAMILY=child")
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("child " + strconv.Itoa(child.Process.Pid) + "\n")
		os.Exit(0)
	case "child":
		never := make(chan os.Signal, 1)
		signal.Notify(never) // without which the runtime ends what waits for nothing
		<-never
	}
	var out bytes.Buffer
	res, err := Run(t.Context(), Command{
		Argv: []string{os.Args[0], "-test.run", t.Name()}, Env: append(os.Environ(), "AUTOPILOT_TEST_FAMILY=parent"), Output: &out,
	})
	_, said, found := strings.Cut(out.String(), "child ")
	pid, _ := strconv.Atoi(strings.TrimSpace(said))
	if err != nil || res.ExitCode != 0 || !found || pid == 0 {
		t.Fatalf("%+v, %v: %q", res, err, out.String())
	}
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return // it is gone
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if state, err := windows.WaitForSingleObject(process, 5000); err != nil || state != windows.WAIT_OBJECT_0 {
		t.Errorf("process %d goes on (%d, %v)", pid, state, err)
	}
}
