package readiness

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/machine"
	"autopilot/autopilot/project"
)

func TestAnAddressIsWellFrom200To399(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code := map[string]int{"/ok": 200, "/moved": 302, "/missing": 404, "/broken": 500}[r.URL.Path]
		w.Header().Set("Location", "/broken") // a redirection is an answer, and not followed
		w.WriteHeader(code)
	}))
	defer server.Close()
	e := Readiness{Now: time.Now}
	for path, want := range map[string]string{"/ok": "", "/moved": "", "/missing": "404 Not Found", "/broken": "500"} {
		h := e.healthOf(t.Context(), project.Service{Name: "web", HealthCheck: server.URL + path})
		if (h.Outcome == machine.CheckPassed) != (want == "") || !strings.Contains(h.Detail, want) {
			t.Errorf("%s: %+v, want %q", path, h, want)
		}
	}
	server.Close()
	if h := e.healthOf(t.Context(), project.Service{HealthCheck: server.URL}); h.Outcome != machine.CheckFailed || h.Detail == "" {
		t.Errorf("nobody listens, and it is %+v", h)
	}
}

func TestAnAddressThatDoesNotAnswerInTimeIsNotWell(t *testing.T) {
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(gone)
	}))
	defer server.Close()
	if err := get(t.Context(), server.URL, time.Millisecond*50); err == nil || !strings.Contains(err.Error(), "deadline exceeded") {
		t.Error(err)
	}
	<-gone
}

func TestAHealthCheckStaysInsideTheRepository(t *testing.T) {
	h := Readiness{}.healthOf(t.Context(), project.Service{HealthCheck: "true", Dir: "../elsewhere"})
	if h.Outcome != machine.CheckCouldNot || !strings.Contains(h.Detail, "outside") {
		t.Errorf("%+v", h)
	}
}
