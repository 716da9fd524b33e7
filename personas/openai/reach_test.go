//go:build unix

package openai

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServerOutOfReachIsToldInPlainWords(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	dial := func(n syscall.Errno) error {
		return &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: os.NewSyscallError("connect", n)}
	}
	for want, err := range map[string]error{
		"nothing listens at 127.0.0.1:9":           dial(syscall.ECONNREFUSED),
		"there is no way to 127.0.0.1:9 from here": dial(syscall.ENETUNREACH),
		"there is no way to the address from here": syscall.EHOSTUNREACH,
		"the name of.no.host cannot be found":      &net.OpError{Op: "dial", Err: &net.DNSError{Name: "of.no.host"}},
		"":                                         errors.New("odd"),
	} {
		if got := Unreached(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
		if NobodyListens(err) != strings.HasPrefix(want, "nothing listens") {
			t.Errorf("%v: nobody listens there: %t", err, NobodyListens(err))
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	var told []string
	c := &clock{}
	m, err := New(Options{BaseURL: gone.URL + "/v1", Model: "m", Retries: 1, Sleep: c.sleep, Waiting: func(why error, _ time.Duration) { told = append(told, why.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = ask(t, m)
	if err == nil || !strings.Contains(err.Error(), "cannot be reached: nothing listens at 127.0.0.1:") || len(told) != 1 || !strings.HasPrefix(told[0], "nothing listens at ") {
		t.Errorf("it ended with %v, after %q", err, told)
	}
}
