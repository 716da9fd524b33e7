package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"autopilot/personas"
)

// TestKeyStaysWithTheServer: a redirect to another server is not followed, neither for the list nor for an answer, whichever
// header has the key.
func TestKeyStaysWithTheServer(t *testing.T) {
	for name, quirks := range map[string]Quirks{"bearer": {}, "a header of its own": {KeyHeader: "api-key"}} {
		t.Run(name, func(t *testing.T) {
			var elsewhere atomic.Int32
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
			defer other.Close()
			first := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
			defer first.Close()
			m, err := New(Options{Model: "m", BaseURL: first.URL + "/v1", APIKey: key, Quirks: quirks})
			if err != nil {
				t.Fatal(err)
			}
			_, listErr := m.List(t.Context())
			_, _, turnErr := m.Turn(t.Context(), []personas.Message{{Role: personas.RoleUser, Content: "Hello"}}, nil)
			for _, err := range []error{listErr, turnErr} {
				if err == nil || !strings.Contains(err.Error(), "redirects to "+other.URL) {
					t.Errorf("the error is %v", err)
				}
			}
			if n := elsewhere.Load(); n > 0 {
				t.Errorf("the other server was asked %d times", n)
			}
		})
	}
}

func TestRedirectsWithinAServerAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		follows  bool
	}{
		"another path":         {"https://a.example/v1/models", "https://a.example/v2/models", true},
		"http to https":        {"http://a.example/v1", "https://a.example/v1", true},
		"https to http":        {"https://a.example/v1", "http://a.example/v1", false},
		"another port":         {"https://a.example/v1", "https://a.example:8443/v1", false},
		"a name below it":      {"https://a.example/v1", "https://b.a.example/v1", false},
		"http to another port": {"http://a.example/v1", "https://a.example:8443/v1", false},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := httptest.NewRequest(http.MethodGet, c.from, nil), httptest.NewRequest(http.MethodGet, c.to, nil)
			if err := sameServer(to, []*http.Request{from}); (err == nil) != c.follows {
				t.Errorf("got %v", err)
			}
		})
	}
}
