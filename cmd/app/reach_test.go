package app

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/openai"
)

func TestReasonWhyAServerIsOutOfReachSaysWhatToDo(t *testing.T) {
	ollama, _ := openai.PresetOf("ollama")
	for name, c := range map[string]struct {
		s    Server
		err  error
		want string
	}{
		"no such name":      {Server{}, &net.DNSError{Name: "of.no.host"}, "the name of.no.host cannot be found | Check whether"},
		"a time-out":        {Server{}, context.DeadlineExceeded, "does not answer within 5s | Check whether this machine has a network"},
		"a known one":       {Server{Preset: ollama, address: ollama.BaseURL}, fmt.Errorf("oops"), "Start it: ollama serve."},
		"one of the user's": {Server{Preset: ollama, address: "http://10.0.0.1/v1"}, fmt.Errorf("oops"), "Start the server, or correct base_url."},
		"an odd one":        {Server{}, x509.UnknownAuthorityError{}, "does not answer as it should"},
	} {
		message, remedy := c.s.Unreachable(c.err)
		if got := message + " | " + remedy; !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestServerIsLookedForBeforeASessionBegins(t *testing.T) {
	there := httptest.NewServer(http.NotFoundHandler())
	defer there.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	b := &Backends{Host: &console.Host{}, Cfg: &config.Config{}}
	for _, c := range []struct {
		described config.Backend
		want      string
	}{
		{config.Backend{Type: "openai", BaseURL: there.URL + "/v1"}, ""},
		{config.Backend{Type: "openai", BaseURL: gone.URL + "/v1"}, "backend b: " + gone.URL + "/v1 does not answer: nothing listens at 127.0.0.1:"},
		{config.Backend{Type: "command", Preset: "qwen", BaseURL: gone.URL}, "nothing listens at"},
		{config.Backend{Type: "command", Preset: "claude"}, ""},
		{config.Backend{Type: "replay", File: "x"}, ""},
		{config.Backend{Type: "openai", BaseURL: "http://%"}, ""},
	} {
		err := b.unreached(t.Context(), "b", c.described)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.described, err)
		}
	}
}
