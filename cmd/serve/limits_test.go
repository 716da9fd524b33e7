package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"autopilot/cmd/console"
	"autopilot/cmd/serve/sites"
	"autopilot/sessions/view"
)

// pipes is a listener whose connections are within the process, so that time can pass in a bubble.
type pipes struct{ dialled chan net.Conn }

func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7} }
func (p pipes) Close() error   { close(p.dialled); return nil }

func (p pipes) Accept() (net.Conn, error) {
	if c, more := <-p.dialled; more {
		return c, nil
	}
	return nil, net.ErrClosed
}

// dial gives a client's end.
func (p pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.dialled <- theirs
	return ours
}

// asks sends a request whole, and gives the answer.
func asks(t *testing.T, c net.Conn) *http.Response {
	t.Helper()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: here\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// within serves a handler in a bubble of time.
func within(t *testing.T, handler http.HandlerFunc, do func(t *testing.T, p pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		p, ended := pipes{make(chan net.Conn)}, make(chan error, 1)
		go func() { ended <- serve(ctx, p, handler) }()
		do(t, p)
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute) // of the bubble's: what was still at its end is over by then
	})
}

// TestASlowHeadIsCutOff: who sends the head of a request byte by byte loses the connection in seconds, and keeps nobody waiting.
func TestASlowHeadIsCutOff(t *testing.T) {
	t.Parallel()
	within(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "here") }, func(t *testing.T, p pipes) {
		slow, began := p.dial(), time.Now()
		cut := make(chan time.Duration)
		go func() { _, _ = io.Copy(io.Discard, slow) }() // a pipe holds nothing of what it is told at the end
		go func() {
			text := "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: " + strings.Repeat("x", 1000)
			for i := range len(text) {
				if _, err := io.WriteString(slow, text[i:i+1]); err != nil {
					break
				}
				time.Sleep(500 * time.Millisecond)
			}
			cut <- time.Since(began)
		}()
		time.Sleep(2 * time.Second)
		other := p.dial()
		if answer := asks(t, other); answer.StatusCode != http.StatusOK {
			t.Errorf("the other: %s", answer.Status)
		}
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("the other was answered after %v", took)
		}
		if took := <-cut; took > 10*time.Second {
			t.Errorf("the slow one was cut off after %v", took)
		}
		_ = other.Close()
	})
}

// TestWhoDoesNotReadIsCutOff: a client of the events that reads nothing loses the connection, while another one hears all.
func TestWhoDoesNotReadIsCutOff(t *testing.T) {
	t.Parallel()
	all := &server{host: &console.Host{Now: time.Now}, sites: &sites.Sites{}}
	ended := make(chan struct{}, 2)
	within(t, func(w http.ResponseWriter, r *http.Request) {
		told := &teller{server: all, w: w, to: http.NewResponseController(w)}
		for n := int64(1); ; n++ {
			seen := sites.Sight{Session: view.Session{Revision: n}}
			seen.Encode(all.sites.Masked)
			if told.tell(seen) != nil {
				ended <- struct{}{}
				return
			}
			time.Sleep(time.Second)
		}
	}, func(t *testing.T, p pipes) {
		reads := p.dial()
		heard := bufio.NewScanner(asks(t, reads).Body)
		deaf := p.dial()
		began := time.Now()
		if _, err := io.WriteString(deaf, "GET / HTTP/1.1\r\nHost: here\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		events := 0
		for cut := false; !cut && heard.Scan(); {
			if strings.HasPrefix(heard.Text(), "event: session") {
				events++
			}
			select {
			case <-ended:
				cut = true
			default:
			}
		}
		if took := time.Since(began); took < patience || took > 3*patience {
			t.Errorf("the one that doesn't read was cut off after %v", took)
		}
		if events < 5 {
			t.Errorf("the other heard only %d events meanwhile: %v", events, heard.Err())
		}
		for events < 60 && heard.Scan() { // longer than any request may take to come
			if strings.HasPrefix(heard.Text(), "event: session") {
				events++
			}
		}
		if events < 60 {
			t.Errorf("the other lost its connection after %d events: %v", events, heard.Err())
		}
		_, _ = reads.Close(), deaf.Close()
	})
}
