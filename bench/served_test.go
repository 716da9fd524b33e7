package bench

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/sessions"
	"autopilot/sessions/storage"
)

// thinks is a command of a run whose model is the one on loopback.
func (w *work) thinks(args ...string) *exec.Cmd {
	if args[0] != "answer" {
		args = append(args, "--backend", "openai", "--model", "m", "--yes", "--quiet", "--non-interactive")
	}
	c := exec.Command(w.program, args...)
	c.Dir, c.Env = w.repo, w.env
	return c
}

// served is an autopilot serve at work, with those who look.
type served struct {
	b       *testing.B
	command *exec.Cmd
	process *os.Process
	address string // HOST:PORT
	key     string
	lost    atomic.Int64 // connections that ended while they were to go on
	over    chan struct{}
	clients sync.WaitGroup
}

func newServed(b *testing.B, program, repo string, env []string) *served {
	b.Helper()
	c := exec.Command(program, "serve")
	c.Dir, c.Env, c.Stderr = repo, env, os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	s := &served{b: b, command: c, process: c.Process, over: make(chan struct{})}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if base, token, found := strings.Cut(strings.TrimSpace(lines.Text()), "/enter?token="); found {
			s.address = strings.TrimPrefix(base, "http://")
			s.enter(token)
			return s
		}
	}
	b.Fatal("autopilot serve printed no address")
	return nil
}

// enter takes the invitation.
func (s *served) enter(token string) {
	once := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := once.Get("http://" + s.address + "/enter?token=" + token)
	if err != nil {
		s.b.Fatal(err)
	}
	defer answer.Body.Close()
	for _, c := range answer.Cookies() {
		s.key = c.Value
	}
}

// end is how long the processors were at work for it.
func (s *served) end() time.Duration {
	close(s.over)
	_ = s.process.Signal(os.Interrupt)
	_ = s.command.Wait() // it was ended, and that is no success
	s.clients.Wait()
	return s.command.ProcessState.UserTime() + s.command.ProcessState.SystemTime()
}

// get is what an address shows.
func (s *served) get(path string) string {
	r, err := http.NewRequest(http.MethodGet, "http://"+s.address+path, nil)
	if err != nil {
		s.b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.b.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.b.Fatalf("%s: %s, %v: %s", path, answer.Status, err, text)
	}
	return string(text)
}

func (s *served) ids() (all []string) {
	var listed struct{ Sessions []struct{ ID string } }
	if err := json.Unmarshal([]byte(s.get("/api/v1/sessions")), &listed); err != nil {
		s.b.Fatal(err)
	}
	for _, one := range listed.Sessions {
		all = append(all, one.ID)
	}
	return all
}

// watch has clients hear a session, and returns when each heard something. The slow ones take 200 bytes a second.
func (s *served) watch(id string, idle, slow int) {
	var heard sync.WaitGroup
	for n := range idle + slow {
		heard.Add(1)
		s.clients.Go(func() {
			first := sync.OnceFunc(heard.Done)
			defer first()
			for s.hears(id, n >= idle, first) {
				s.lost.Add(1)
				time.Sleep(2 * time.Second) // as a browser does
			}
		})
	}
	heard.Wait()
}

// hears keeps a client at it until the connection ends, and says whether it was to go on.
func (s *served) hears(id string, slow bool, first func()) bool {
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		return s.goesOn()
	}
	defer c.Close()
	go func() { // a slow one would read for minutes what was sent to it before
		<-s.over
		_ = c.Close()
	}()
	if slow {
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	fmt.Fprintf(c, "GET /api/v1/events?session=%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", id, s.address, s.key)
	read := make([]byte, 4<<10)
	if slow {
		read = read[:200]
	}
	for {
		if _, err := c.Read(read); err != nil {
			return s.goesOn()
		}
		if first(); slow {
			time.Sleep(time.Second)
		}
	}
}

func (s *served) goesOn() bool {
	select {
	case <-s.over:
		return false
	default:
		return true
	}
}

// makeSessions makes sessions of one repository whose journals have so many events each, half of them with a line of the transcript.
// The others are the first with another spec: to apply all events takes minutes.
func makeSessions(b *testing.B, repo string, env []string, n, events int) {
	b.Helper()
	put(b, filepath.Join(repo, "docs", "spec.md"), runSpec(20))
	first := halfway(20)
	s, err := sessions.Create(sessionIn(repo), machine.Event{Type: machine.Created, Initial: &first}, sessions.Options{Now: time.Now, Disk: storage.PassingDisk{}})
	if err != nil {
		b.Fatal(err)
	}
	for range events / 2 {
		for _, e := range []machine.Event{{Type: machine.Used, Usage: &machine.Usage{InputTokens: 100, OutputTokens: 10}}, {Type: machine.RunStarted}} {
			if _, err := s.Apply(e); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	journal, err := os.ReadFile(filepath.Join(sessionIn(repo), sessions.JournalName))
	if err != nil {
		b.Fatal(err)
	}
	for i := range n - 1 {
		spec := fmt.Sprintf("spec-%02d", i+2)
		put(b, filepath.Join(repo, "docs", spec+".md"), runSpec(20))
		dir := filepath.Join(filepath.Dir(sessionIn(repo)), spec)
		put(b, filepath.Join(dir, sessions.JournalName), forSpec(string(journal), spec))
		s, err := sessions.Open(dir, sessions.Options{Now: time.Now, Disk: storage.PassingDisk{}}) // it writes the snapshot
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	commitAll(b, repo, env)
}

// forSpec is a journal whose first event, which alone names the spec, names another. Each line ends with its checksum.
func forSpec(journal, spec string) string {
	first, rest, _ := strings.Cut(journal, "\n")
	body, _, _ := strings.Cut(first, `,"crc":"`)
	body = strings.NewReplacer("docs/spec.md", "docs/"+spec+".md", "sessions/spec", "sessions/"+spec, `"spec"`, `"`+spec+`"`).Replace(body)
	var sum bytes.Buffer
	_ = binary.Write(&sum, binary.BigEndian, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)))
	return fmt.Sprintf("%s,\"crc\":\"%x\"}\n%s", body, sum.Bytes(), rest)
}
