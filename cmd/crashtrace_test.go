//go:build crash && linux

package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hittable are the system calls that change what a disk holds, or start a child.
var hittable = []string{"write", "pwrite64", "fsync", "fdatasync", "renameat", "renameat2", "linkat", "unlinkat", "ftruncate", "clone", "clone3", "vfork"}

// watched are those, and what is needed to know the files that they are about.
var watched = append([]string{"openat", "mkdirat", "close"}, hittable...)

// call is one system call of the program's main thread.
type call struct {
	name   string
	nth    int // of this name, from 1
	paths  []string
	data   []byte // what was written
	at     int64  // where, or how long the file is from now on
	flags  string
	ofFile int // like nth, but of those that are about the same file
	failed bool

	injected bool // strace let it fail
	written  bool // a close of what was open to be written
	done     bool // it returned, well or not
}

// changes says whether a kill before the call meets another disk, or other children, than one after it.
func (c call) changes() bool {
	return !c.failed && slices.Contains(hittable, c.name) && !c.thread()
}

func (c call) child() bool { return strings.HasPrefix(c.name, "clone") || c.name == "vfork" }

// ofProcess says whether the call is about one of the machine's processes, of which there are now more, now fewer.
func (c call) ofProcess() bool { return len(c.paths) > 0 && strings.HasPrefix(c.paths[0], "/proc/") }

func (c call) thread() bool { return strings.Contains(c.flags, "CLONE_THREAD") }

// opens says whether the call makes or opens a file or folder that is to be changed.
func (c call) opens() bool {
	return c.name == "mkdirat" || c.name == "openat" && openedToWrite.MatchString(c.flags)
}

var openedToWrite = regexp.MustCompile(`O_(WRONLY|RDWR|CREAT)`)

var anyNumber = regexp.MustCompile(`[0-9a-f]{12,}|[0-9]+`)

// site names what the call does to which kind of file.
func (c call) site(root string) string {
	words := []string{c.name}
	for _, path := range c.paths {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
		words = append(words, anyNumber.ReplaceAllString(path, "N"))
	}
	if c.opens() && c.name == "openat" {
		words = append(words, "to write")
	}
	return strings.Join(words, " ")
}

// withoutData has strace leave out what is written, which takes it most of its time.
var withoutData = []string{"-s", "0"}

// strace runs the program under strace, with one more option, and gives the calls that it made.
func (l *life) strace(t *testing.T, args []string, with ...string) (calls []call, code int, said string) {
	t.Helper()
	log := filepath.Join(l.dir, "trace")
	all := append([]string{"-qq", "-xx", "-y", "-s", "1000000", "-o", log, "-e", "signal=none", "-e", "trace=" + strings.Join(watched, ",")}, with...)
	code, said = l.exec(t, "strace", append(append(all, l.program), args...)...)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls = parseTrace(text)
	if len(calls) == 0 && len(with) == 0 {
		t.Fatalf("strace saw nothing: %s", said)
	}
	return calls, code, said
}

// exec runs a program in the place.
func (l *life) exec(t *testing.T, program string, args ...string) (code int, said string) {
	t.Helper()
	c := exec.Command(program, args...)
	// One thread that works, and nothing that interrupts it: then each run makes the same calls.
	c.Dir, c.Env = l.repo, append(slices.Clone(l.env), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1", "CRASH_SEED="+l.bug)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code says it
	return c.ProcessState.ExitCode(), out.String()
}

var (
	traced  = regexp.MustCompile(`^(\w+)\((.*)\) += (-?\d+|\?)`)
	cutOff  = regexp.MustCompile(`^(\w+)\((.*)$`)
	openFD  = regexp.MustCompile(`^(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>`)
	quoted  = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
	atPath  = regexp.MustCompile(`(?:AT_FDCWD|\d+)<((?:\\x[0-9a-f]{2})*)>, "((?:\\x[0-9a-f]{2})*)"`)
	lastArg = regexp.MustCompile(`, (\d+)$`)
)

func parseTrace(text []byte) []call {
	var calls []call
	count, written := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		m := traced.FindStringSubmatch(line)
		if m == nil {
			if m = cutOff.FindStringSubmatch(line); m == nil {
				continue
			}
			m = append(m, "?")
		}
		count[m[1]]++
		c := call{name: m[1], nth: count[m[1]], done: m[3] != "?", failed: strings.HasPrefix(m[3], "-")}
		c.injected = strings.HasSuffix(line, "(INJECTED)")
		c.read(m[2])
		if len(c.paths) > 0 {
			about := c.name + " " + c.paths[len(c.paths)-1]
			count[about]++
			c.ofFile = count[about]
			if c.name == "openat" && !c.failed {
				written[c.paths[0]] = c.opens()
			}
			c.written = c.name == "close" && written[c.paths[0]]
		}
		calls = append(calls, c)
	}
	return calls
}

// read takes from the arguments of a call what its kind has.
func (c *call) read(args string) {
	switch c.name {
	case "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "close":
		if m := openFD.FindStringSubmatch(args); m != nil {
			c.paths = []string{unhex(m[1])}
		}
		if m := quoted.FindStringSubmatch(args); m != nil {
			c.data = []byte(unhex(m[1]))
		}
		if m := lastArg.FindStringSubmatch(args); m != nil {
			c.at, _ = strconv.ParseInt(m[1], 10, 64) // digits
		}
	case "openat", "mkdirat", "unlinkat", "renameat", "renameat2", "linkat":
		for _, m := range atPath.FindAllStringSubmatch(args, -1) {
			path := unhex(m[2])
			if !filepath.IsAbs(path) {
				path = filepath.Join(unhex(m[1]), path)
			}
			c.paths = append(c.paths, path)
		}
		c.flags = args
	default:
		c.flags = args
	}
}

func unhex(text string) string {
	var b strings.Builder
	for digits := range strings.SplitSeq(text, `\x`) {
		if n, err := strconv.ParseUint(digits, 16, 8); err == nil {
			b.WriteByte(byte(n))
		}
	}
	return b.String()
}

func inject(c call, what string) []string {
	return []string{"-e", fmt.Sprintf("inject=%s:%s:when=%d", c.name, what, c.nth)}
}
