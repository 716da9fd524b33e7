//go:build unix

package command

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/autopilot/tail"
	"autopilot/personas"
)

// recorded is output of real programs; it is no part of the project.
const recorded = "../../../shared/corpus/agent-output"

// judged is what output of a known program comes to.
func judged(t *testing.T, preset, output string, result process.Result) (personas.Outcome, *stream) {
	t.Helper()
	p, ok := PresetOf(preset)
	if !ok {
		t.Fatal("there is no preset " + preset)
	}
	d := world(t)
	d.AttemptDir = ""
	b := New(Options{Preset: &p, Environ: []string{}, Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }})
	w, err := b.open(d)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.close() }()
	r := ran{result: result, tail: &tail.Writer{Limit: maxTail}, said: w.listen(nil)}
	for _, sink := range w.sinks(r) {
		if n, err := sink.Write([]byte(output)); n != len(output) || err != nil {
			t.Fatal(n, err)
		}
	}
	r.said.finish()
	out, bad := w.conclude(r)
	if bad != nil {
		t.Fatalf("a reply that has to be mended: %v", bad.problems)
	}
	out.Usage = w.usage
	return out, r.said
}

// resultOf reads an exit code as it was recorded. 124 is that of timeout(1).
func resultOf(t *testing.T, text string) process.Result {
	t.Helper()
	code, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	if code == 124 {
		return process.Result{ExitCode: -1, Signal: "SIGTERM", TimedOut: process.WholeLimit}
	}
	return process.Result{ExitCode: code}
}

// judgements tell of each recorded run how it ended, what it said last, and what it used.
var judgements = map[string]struct {
	kind    personas.OutcomeKind
	message string
	in, out int
	cost    float64
}{
	"claude-401":      {kind: personas.Auth},
	"claude-429once":  {personas.NoReply, "recovered", 100, 5, 0.000375},
	"claude-500":      {kind: personas.RateLimited},
	"claude-500b":     {kind: personas.RateLimited},
	"claude-SIGINT":   {personas.Interrupted, "", 10, 5, 0.00014},
	"claude-cut":      {personas.NoReply, "recovered", 100, 5, 0.000375},
	"claude-jsonout":  {personas.NoReply, "done", 22012, 7, 0.066141},
	"claude-noskip":   {personas.NoReply, "All done: created hello.txt", 2468, 112, 0.009084},
	"claude-refused":  {kind: personas.RateLimited},
	"claude-resume":   {personas.NoReply, "done", 22075, 7, 0.13248},
	"claude-write":    {personas.NoReply, "All done: created hello.txt", 2468, 112, 0.009084},
	"codex-401":       {kind: personas.Auth},
	"codex-401lim":    {kind: personas.Auth},
	"codex-429once":   {personas.NoReply, "recovered", 100, 5, 0},
	"codex-500":       {kind: personas.RateLimited},
	"codex-500lim":    {kind: personas.RateLimited},
	"codex-SIGINT":    {kind: personas.NoReply},
	"codex-cut":       {personas.NoReply, "recovered", 100, 5, 0},
	"codex-read-only": {personas.NoReply, "All done: created hello.txt", 2468, 112, 0},
	"codex-refused":   {kind: personas.RateLimited},
	"codex-resume":    {personas.NoReply, "done", 19887, 14, 0},
	"codex-write":     {personas.NoReply, "All done: created hello.txt", 2468, 112, 0},
	"gemini-401":      {kind: personas.Auth},
	"gemini-429once":  {personas.NoReply, "recovered", 100, 5, 0},
	"gemini-500":      {kind: personas.RateLimited},
	"gemini-SIGINT":   {kind: personas.NoReply},
	"gemini-cut":      {kind: personas.RateLimited},
	"gemini-noyolo": {personas.NoReply, "mock: no shell tool in update_topic,list_directory,read_file,grep_search,glob," +
		"google_web_search,enter_plan_mode,invoke_agent", 1234, 56, 0},
	"gemini-refused":   {kind: personas.RateLimited},
	"gemini-resume":    {personas.NoReply, "done", 12224, 7, 0},
	"gemini-write":     {personas.NoReply, "All done: created hello.txt", 2468, 112, 0},
	"opencode-401b":    {kind: personas.Auth},
	"opencode-429once": {personas.NoReply, "recovered", 100, 5, 0.000375},
	"opencode-500":     {kind: personas.RateLimited},
	"opencode-SIGINT":  {kind: personas.NoReply},
	"opencode-cut":     {personas.NoReply, "recovered", 100, 5, 0.000375},
	"opencode-first":   {personas.NoReply, "done", 7677, 7, 0.023136},
	"opencode-noauto":  {personas.NoReply, "", 1234, 56, 0.004542},
	"opencode-resume":  {personas.NoReply, "done", 7696, 7, 0.023193},
	"opencode-write":   {personas.NoReply, "All done: created hello.txt", 2468, 112, 0.009084},
	"qwen-401":         {kind: personas.Auth, message: "[API Error: 401 mock fault]"},
	"qwen-429once":     {personas.NoReply, "recovered", 200, 10, 0},
	"qwen-500":         {kind: personas.RateLimited, message: "[API Error: 500 mock fault]"},
	"qwen-cut":         {personas.NoReply, "recovered", 200, 10, 0},
	"qwen-refused":     {kind: personas.RateLimited, message: "[API Error: Connection error. (cause: connect ECONNREFUSED 127.0.0.1:4010)]"},
	"qwen-resume":      {personas.NoReply, "done", 61411, 28, 0},
	"qwen-write":       {personas.NoReply, "All done: created hello.txt", 2468, 112, 0},
}

func TestRecordedOutputIsJudged(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recorded, "*.rc"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("no recorded output is there")
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".rc")
		name := filepath.Base(base)
		t.Run(name, func(t *testing.T) {
			output := read(t, base+".stdout")
			if noise, err := os.ReadFile(base + ".stderr"); err == nil {
				output = string(noise) + "\n" + output
			} else if !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			preset, _, _ := strings.Cut(name, "-")
			out, said := judged(t, preset, output, resultOf(t, read(t, file)))
			want, known := judgements[name]
			if strings.HasSuffix(name, "-acp") { // another protocol: nothing of it is an event
				want.kind, known = personas.NoReply, true
			}
			if !known {
				t.Fatal("it has no judgement")
			}
			if out.Kind != want.kind || said.message.String() != want.message {
				t.Errorf("it is %q (%s), and the last message %q; want %q and %q", out.Kind, out.Detail, said.message.String(), want.kind, want.message)
			}
			if outage := want.kind == personas.RateLimited; outage != (out.Outage != "") || out.TextOnly {
				t.Errorf("it is an outage (%q), by its text alone: %t", out.Outage, out.TextOnly)
			}
			if u := out.Usage; u.InputTokens != want.in || u.OutputTokens != want.out || math.Abs(u.CostUSD-want.cost) > 1e-9 {
				t.Errorf("it used %+v, want %d in, %d out, %g", u, want.in, want.out, want.cost)
			}
		})
	}
}
