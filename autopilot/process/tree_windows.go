package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Supervise does nothing on Windows: a job object ends the tree when the caller
// dies, so there is no supervisor to be.
func Supervise() (code int, was bool) {
	supervisable.Store(true)
	return 0, false
}

// tree is a running command and the job that holds all it starts.
type tree struct {
	cmd   *exec.Cmd
	ended chan ending

	mu      sync.Mutex
	job     windows.Handle // 0 once closed
	stopped bool
}

// start creates the command suspended, so that it can start nothing before it
// is in the job.
func start(c Command, path string, streams [3]*os.File) (*tree, error) {
	if !supervisable.Load() {
		return nil, errNotSupervisable
	}
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: path, Args: c.Argv, Dir: c.Dir, Env: environment(c),
		Stdin: streams[0], Stdout: streams[1], Stderr: streams[2],
		SysProcAttr: &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP},
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, c.startError(err)
	}
	if err := release(cmd.Process.Pid, job); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	t := &tree{cmd: cmd, job: job, ended: make(chan ending, 1)}
	go t.wait()
	return t, nil
}

// newJob is a job whose processes end with the last handle to it, which is ours.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("creating a job object: %w", err)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, fmt.Errorf("setting up a job object: %w", err)
	}
	return job, nil
}

// release puts the suspended process into the job and lets it run.
func release(pid int, job windows.Handle) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return fmt.Errorf("opening process %d: %w", pid, err)
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return fmt.Errorf("putting process %d into its job: %w", pid, err)
	}
	return resume(uint32(pid))
}

// resume looks for the one thread that a suspended process has, since os/exec
// keeps no handle to it.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return fmt.Errorf("listing threads: %w", err)
	}
	defer windows.CloseHandle(snapshot)
	var entry windows.ThreadEntry32
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return fmt.Errorf("opening a thread of process %d: %w", pid, err)
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return fmt.Errorf("process %d has no thread to resume", pid)
}

// stop has no polite form here: a console event would reach the caller as well.
func (t *tree) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.job != 0 {
		t.stopped = true
		_ = windows.TerminateJobObject(t.job, 1)
	}
}

// kill is stop once more: nothing in a job can keep it from ending.
func (t *tree) kill() { t.stop() }

func (t *tree) wait() {
	_ = t.cmd.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = windows.TerminateJobObject(t.job, 1)
	windows.CloseHandle(t.job)
	t.job = 0
	t.ended <- ending{code: t.cmd.ProcessState.ExitCode(), stopped: t.stopped}
}
