package cmd_test

import (
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
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

func TestServerIsTakenFromAPreset(t *testing.T) {
	j := newJourney(t, "backends: {fast: {preset: mistral, base_url: ADDRESS, model: m}}\n", []string{"MISTRAL_API_KEY=" + apiKey}, []string{"--fast"})
	j.types(0, "doctor")
	if !strings.Contains(j.last, "its key is that in MISTRAL_API_KEY") {
		t.Errorf("doctor does not tell where the key is from:\n%s", j.last)
	}
	j.types(0, "doctor", "--probe")
	if !strings.Contains(j.last, "Sending one small request to: fast. It uses") || !regexp.MustCompile(`ok     probe +fast: m answered in \d\.\d s, 20 tokens in and 1 out`).MatchString(j.last) {
		t.Errorf("the probe tells:\n%s", j.last)
	}
	j.runs(0, "docs/one.md")
	if told := strings.Count(j.last, "no price is known for m"); told != 1 {
		t.Errorf("it was told %d times that the price is not known:\n%s", told, j.last)
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
	leftToCI(t)
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
	j.runs(5, "docs/one.md", "--wait", "never")
	if !strings.Contains(j.last, "the quota of this hour") || !strings.Contains(j.last, "until ") {
		t.Errorf("it does not say what the limit is:\n%s", j.last)
	}
	task := j.state("one").Tasks[0]
	if len(task.Attempts) != 0 || task.Dispatches != 0 {
		t.Errorf("the limit spent an attempt: %+v", task)
	}
	asked := len(j.server.asked)
	j.runs(5, "docs/one.md", "--wait", "never")
	if len(j.server.asked) != asked {
		t.Error("it asked again before the limit was over")
	}
	j.types(0, "status", "docs/one.md", "--json")
	if !strings.Contains(j.last, `"limited":"usage limit of local, until `) || !strings.Contains(j.last, `"waits":true`) {
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

// TestShortLimitIsNotWaitedForWhereNothingIsToBe: a minute would be waited by the dispatch itself.
func TestShortLimitIsNotWaitedForWhereNothingIsToBe(t *testing.T) {
	j := shortWay(t, func(a asked) http.HandlerFunc {
		if a.key.Persona == "executor" {
			return refusal(429, "slow down", "Retry-After", "60")
		}
		return nil
	})
	j.runs(5, "docs/one.md", "--wait", "never")
	if !strings.Contains(j.last, "reports a limit: ") {
		t.Errorf("it ended otherwise:\n%s", j.last)
	}
}

func TestLimitIsWaitedOut(t *testing.T) {
	refused := 0
	j := shortWay(t, func(a asked) http.HandlerFunc {
		if a.key.Persona == "executor" && a.turn == 1 && refused < 2 {
			refused++
			return refusal(429, "the quota of this hour is used up", "Retry-After", "3600")
		}
		return nil
	})
	looks, shown := 0, map[string]string{}
	j.asleep = func() {
		if looks++; looks == 1 {
			for _, args := range [][]string{{"why"}, {"why", "--json"}, {"status"}, {"status", "--json"}} {
				_, shown[strings.Join(args, " ")] = j.prints(append(args, "docs/one.md")...)
			}
		}
	}
	j.runs(0, "docs/one.md")
	for command, want := range map[string]string{
		"why": `waiting for a limit .*usage limit of local, until (?s:.*)If you resume: the run goes on by itself after that`, "status": `Usage limit of local, until `,
		"why --json": `"running":true.*"doing":"usage limit of local, until `, "status --json": `"running":true.*"waits":true`,
	} {
		if !regexp.MustCompile(want).MatchString(strings.ReplaceAll(shown[command], "\n   ", "")) {
			t.Errorf("%s beside the run: %s", command, shown[command])
		}
	}
	if slept := time.Duration(j.slept.Load()); slept < 119*time.Minute || slept > 3*time.Hour {
		t.Errorf("it slept for %s", slept)
	}
	if !strings.Contains(j.last, "Waiting until ") || !strings.Contains(j.last, "Ctrl-C stops") {
		t.Errorf("it does not say that it waits:\n%s", j.last)
	}
	if s := j.state("one"); s.History[0].RetriesUsed != 1 || s.Elapsed > time.Hour.Seconds() {
		t.Errorf("%d retries, %.0f s of running time", s.History[0].RetriesUsed, s.Elapsed)
	}
}

// TestARecordedRunReplaysToTheSameTree: what the models said is enough to make the same work again, without any; also where
// a question stood between two runs.
func TestARecordedRunReplaysToTheSameTree(t *testing.T) {
	j := shortWay(t, nil)
	record := filepath.Join(t.TempDir(), "record")
	j.runs(3, "docs/one.md", "--review-plans", "--record", record)
	if again := "Then continue with:\n  autopilot docs/one.md --record " + record + "\n"; !strings.Contains(j.last, again) {
		t.Errorf("it does not say how the recording goes on:\n%s", j.last)
	}
	j.types(0, "answer", "docs/one.md", "yes")
	j.runs(0, "docs/one.md", "--record", record)
	j.replays(record)
	j.keepsTheKey()
}

// replays plays a recorded run of docs/one.md once more: it comes to the same tree, and asks no model.
func (j *journey) replays(record string) {
	j.t.Helper()
	tree, requests := j.git("rev-parse", "HEAD^{tree}"), len(j.server.asked)
	j.git("switch", "-q", "main")
	j.git("branch", "-D", "autopilot/one")
	j.types(0, "docs/one.md", "--fast", "--yes", "--restart", "--replay", filepath.Join(record, "replay.yaml"))
	if again := j.git("rev-parse", "HEAD^{tree}"); again != tree {
		j.t.Errorf("the tree is %s, and was %s", again, tree)
	}
	if len(j.server.asked) != requests {
		j.t.Error("a model was asked")
	}
}

// TestAnotherBackendTakesOverAtALimit: while the first one reports a limit the next one plays the persona, on the same
// attempt, and with the model that is its own.
func TestAnotherBackendTakesOverAtALimit(t *testing.T) {
	const two = "backend: first\npersonas: {executor: {model: one, fallback: [second]}}\n" +
		"backends:\n  first: {type: openai, base_url: ADDRESS, model: m, api_key_env: PHRASES_SECRET}\n" +
		"  second: {type: openai, base_url: ADDRESS, model: other, api_key_env: PHRASES_SECRET}\n"
	j := newJourney(t, two, withConfiguredKey, []string{"--fast"})
	models := map[string]int{}
	j.server.fault = func(a asked) http.HandlerFunc {
		models[a.key.Persona+" "+a.chat.Model]++
		if a.chat.Model == "one" {
			return refusal(429, "the quota of this hour is used up", "Retry-After", "3600")
		}
		return nil
	}
	j.runs(0, "docs/one.md")
	if !strings.Contains(j.last, "Going on with backend second") || strings.Contains(j.last, "Waiting until") {
		t.Errorf("it does not say who takes over:\n%s", j.last)
	}
	if models["executor one"] != 1 || models["executor other"] == 0 || models["reviewer other"] > 0 {
		t.Errorf("asked: %v", models)
	}
	if s := j.state("one"); s.History[0].RetriesUsed != 1 {
		t.Errorf("%d retries: the limit was counted", s.History[0].RetriesUsed)
	}
}

// TestLimitThatNeverEndsEndsTheRun: a server that names a time each time, and never keeps to it, is not waited for forever.
func TestLimitThatNeverEndsEndsTheRun(t *testing.T) {
	j := shortWay(t, func(a asked) http.HandlerFunc {
		if a.key.Persona == "executor" {
			return refusal(429, "the quota of this hour is used up", "Retry-After", "3600")
		}
		return nil
	})
	j.runs(5, "docs/one.md")
	if n := strings.Count(j.last, "Waiting until "); n != 3 {
		t.Errorf("it waited %d times", n)
	}
	j.runs(5, "docs/one.md", "--wait", "30m")
	if strings.Contains(j.last, "Waiting until ") {
		t.Errorf("it waited for longer than it may:\n%s", j.last)
	}
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
