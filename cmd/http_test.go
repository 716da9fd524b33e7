package cmd_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

const configured = "backends: {local: {type: openai, base_url: ADDRESS, model: m, api_key_env: PHRASES_SECRET, stream: %t}}\n"

var withConfiguredKey = []string{"PHRASES_SECRET=" + apiKey}

func TestSpecRunsOverHTTP(t *testing.T) {
	for name, stream := range map[string]bool{"streaming": true, "whole answers": false} {
		t.Run(name, func(t *testing.T) {
			j := newJourney(t, fmt.Sprintf(configured, stream), withConfiguredKey, nil)
			j.wholeWay()
			j.keepsTheKey()
			j.sentWhatAPersonaNeeds()
			used := map[personas.Key]bool{}
			for _, a := range j.server.asked {
				if used[a.key] = true; a.chat.Stream != stream || a.chat.Model != "m" {
					t.Errorf("request %d: stream %v, model %q", a.n, a.chat.Stream, a.chat.Model)
				}
			}
			for _, left := range j.server.turns.Unused(slices.Collect(maps.Keys(used))) {
				t.Errorf("dispatch %s was never asked for", left)
			}
		})
	}
}

func TestServerIsTakenFromTheEnvironment(t *testing.T) {
	j := newJourney(t, "", []string{"OPENAI_BASE_URL=ADDRESS", "OPENAI_API_KEY=" + apiKey}, []string{"--backend", "openai", "--model", "m", "--fast"})
	j.runs(0, "docs/one.md")
	if a := j.server.asked[0]; !a.chat.Stream || a.chat.Model != "m" {
		t.Errorf("stream %v, model %q", a.chat.Stream, a.chat.Model)
	}
	j.keepsTheKey()
}

// shortWay is a journey over the spec of one phase.
func shortWay(t *testing.T, fault func(asked) http.HandlerFunc) *journey {
	t.Helper()
	j := newJourney(t, fmt.Sprintf(configured, true), withConfiguredKey, []string{"--fast"})
	j.server.fault = fault
	return j
}

// nth makes the n-th request of a run fail.
func nth(n int, handle http.HandlerFunc) func(asked) http.HandlerFunc {
	return func(a asked) http.HandlerFunc {
		if a.n == n {
			return handle
		}
		return nil
	}
}

func TestPassingFailureOfTheServerSpendsNothing(t *testing.T) {
	var undisturbed int
	for _, c := range []struct {
		name  string
		fault func(asked) http.HandlerFunc
	}{
		{"none", nil},
		{"429 with Retry-After", nth(3, refusal(429, "slow down", "Retry-After", "1"))},
		{"an answer that is cut in the middle", nth(4, cutMidStream)},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := shortWay(t, c.fault)
			j.runs(0, "docs/one.md")
			s := j.state("one")
			if c.fault == nil {
				undisturbed = len(j.server.asked)
			} else if len(j.server.asked) != undisturbed+1 {
				t.Errorf("%d requests, want one more than %d", len(j.server.asked), undisturbed)
			}
			if s.History[0].RetriesUsed != 1 || s.Usage.Dispatches != 5 {
				t.Errorf("%d retries, %d dispatches: the failure was counted", s.History[0].RetriesUsed, s.Usage.Dispatches)
			}
			j.keepsTheKey()
		})
	}
}

func TestLimitThatStaysEndsTheRunAndSpendsNoAttempt(t *testing.T) {
	const hour = "3600"
	j := shortWay(t, func(a asked) http.HandlerFunc {
		if a.key.Persona == "executor" && a.turn == 1 {
			return refusal(429, "the quota of this hour is used up", "Retry-After", hour)
		}
		return nil
	})
	j.runs(5, "docs/one.md")
	if !strings.Contains(j.last, "the quota of this hour") || !strings.Contains(j.last, "until ") {
		t.Errorf("it does not say what the limit is:\n%s", j.last)
	}
	task := j.state("one").Tasks[0]
	if len(task.Attempts) != 0 || task.Dispatches != 0 {
		t.Errorf("the limit spent an attempt: %+v", task)
	}
	asked := len(j.server.asked)
	j.runs(5, "docs/one.md")
	if len(j.server.asked) != asked {
		t.Error("it asked again before the limit was over")
	}
	j.types(0, "status", "docs/one.md", "--json")
	if !strings.Contains(j.last, `"exitCode":5`) {
		t.Errorf("status: %s", j.last)
	}
	j.server.fault, j.later = nil, 2*time.Hour
	j.runs(0, "docs/one.md")
	if again := j.server.asked[asked].prompt; !strings.Contains(again, "This attempt was cut off") || !strings.Contains(again, "Attempt: 1 of 4") {
		t.Errorf("the resumed attempt is not told that it was cut off:\n%s", again)
	}
	if s := j.state("one"); s.History[0].RetriesUsed != 1 {
		t.Errorf("%d retries", s.History[0].RetriesUsed)
	}
	j.keepsTheKey()
}

func TestRefusedKeyIsNeverShown(t *testing.T) {
	for _, code := range []int{401, 403} {
		j := shortWay(t, nth(1, refusal(code, "Incorrect API key provided: "+apiKey)))
		j.runs(4, "docs/one.md")
		if !strings.Contains(j.last, "backend local refuses the credentials") || !strings.Contains(j.last, "run the same command again") {
			t.Errorf("%d: %s", code, j.last)
		}
		if len(j.server.asked) != 1 {
			t.Errorf("%d: %d requests: a refused key was tried again", code, len(j.server.asked))
		}
		if code == 401 {
			j.runs(0, "docs/one.md")
		}
		j.keepsTheKey()
	}
}
