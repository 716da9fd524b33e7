package cmd_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestOutageOfTheServerSpendsNothing: a server that is out of order for hours is waited for, and no task is blamed for it.
func TestOutageOfTheServerSpendsNothing(t *testing.T) {
	leftToCI(t)
	var j *journey
	failed := 0
	j = shortWay(t, func(a asked) http.HandlerFunc {
		begun := a.key.Persona == "executor" && a.turn == 1
		if (begun || failed > 0) && time.Duration(j.slept.Load()) < 3*time.Hour {
			failed++
			return refusal(502, "Bad Gateway")
		}
		return nil
	})
	beside := ""
	j.asleep = func() {
		if _, why := j.prints("why", "docs/one.md"); beside == "" && strings.Contains(why, "waiting for a limit ") {
			_, beside = j.prints("status", "docs/one.md")
			beside = strings.Join(strings.Fields(why+beside), " ")
		}
	}
	j.runs(0, "docs/one.md")
	if !strings.Contains(beside, "Local is out of order, until ") || !strings.Contains(beside, "autopilot watch docs/one.md") {
		t.Errorf("beside the run: %s", beside)
	}
	if slept := time.Duration(j.slept.Load()); slept < 3*time.Hour || slept > 4*time.Hour || failed > 100 {
		t.Errorf("it slept for %s and was refused %d times", slept, failed)
	}
	if !strings.Contains(j.last, "backend local is out of order: its server failed: Bad Gateway. Waiting until ") {
		t.Errorf("it does not say that it waits:\n%s", j.last)
	}
	if s := j.state("one"); s.History[0].RetriesUsed != 1 {
		t.Errorf("%d retries: the outage was counted", s.History[0].RetriesUsed)
	}
}

// TestServerThatDiesIsWaitedForAsWished: nobody listens any more, which is no backend, as it is before a session begins.
func TestServerThatDiesIsWaitedForAsWished(t *testing.T) {
	var j *journey
	j = shortWay(t, func(a asked) http.HandlerFunc {
		if a.key.Persona != "executor" {
			return nil
		}
		return func(w http.ResponseWriter, _ *http.Request) {
			_ = j.server.Listener.Close()
			if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = conn.Close()
			}
		}
	})
	j.runs(4, "docs/one.md", "--wait", "10m")
	for _, part := range []string{"ended by an outage: ", "Waiting until ", "nothing listens at ", "Check whether it runs", "continue with: autopilot docs/one.md"} {
		if !strings.Contains(j.last, part) {
			t.Errorf("it does not say %q:\n%s", part, j.last)
		}
	}
	if task := j.state("one").Tasks[0]; len(task.Attempts) != 0 || task.Dispatches != 0 {
		t.Errorf("the outage spent an attempt: %+v", task)
	}
	j.types(0, "why", "docs/one.md")
	if !strings.Contains(j.last, "stopped by an error ") || !strings.Contains(j.last, "it starts the executor") {
		t.Errorf("why: %s", j.last)
	}
	j.runs(4, "docs/one.md", "--wait", "never")
	if strings.Contains(j.last, "Waiting until ") || !strings.Contains(j.last, "trying again in 1s") {
		t.Errorf("whoever goes on has not been asking whether it is back:\n%s", j.last)
	}
}
