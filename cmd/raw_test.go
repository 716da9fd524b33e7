package cmd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"autopilot/cmd/console"
)

// evil is text that would change a title, clear a screen, turn writing round and begin a new command, were it printed raw.
const evil = "\x1b]0;owned\x07\x1b[2J\u202eliame\u2066\u200f\u009b1m\x7f\b\v"

// rawIn gives what of a program's output a terminal would act on; "" where there is nothing.
func rawIn(text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
	}
	for i, r := range text {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return fmt.Sprintf("%U in %q", r, text[max(0, i-60):min(len(text), i+20)])
		}
	}
	return ""
}

// asJSON is a text as JSON, and YAML, write it.
func asJSON(text string) string {
	data, _ := json.Marshal(text)
	return strings.NewReplacer("\x7f", `\u007f`, "\u009b", `\u009b`).Replace(string(data))
}

// evilTurns are agents whose every text is evil: a plan, work, and a review that blocks.
func evilTurns() string {
	reply := func(more string) string {
		return fmt.Sprintf(`{status: done, summary: %s, concerns: [%s]%s}`, asJSON("Said"+evil), asJSON("Why"+evil), more)
	}
	plan := "# Plan: Greet\n## Tasks\n### Task 1: Write" + evil + "\n[checkpoint:decision] Which" + evil + "?\n- one" + evil +
		"\n- two\n\n**Files:** greet.txt, a" + evil + ".txt | **Validation:** `echo '" + evil + "' && grep -q hello greet.txt`\n"
	noted := fmt.Sprintf(`, evidence: [{command: %[1]s, exitCode: 1, note: %[1]s}], learnings: [{outcome: gotcha, text: %[1]s}]`, asJSON("x"+evil))
	found := fmt.Sprintf(`, findings: [{severity: critical, file: %[1]s, title: %[1]s, rationale: %[1]s}]`, asJSON("x"+evil))
	return "version: 1\ndispatches:\n  - " + strings.Join([]string{
		fmt.Sprintf(`{persona: planner, phase: 1, turns: [{text: %s, calls: [write_file: {path: docs/plans/greet-plan.md, content: %s}]}, {reply: %s}]}`,
			asJSON("I plan"+evil), asJSON(plan), reply(", planPath: docs/plans/greet-plan.md")),
		fmt.Sprintf(`{persona: executor, phase: 1, task: task-001, turns: [{text: %s, calls: [write_file: {path: greet.txt, content: "hello\n"}, write_file: {path: %s, content: "x\n"}]}, {calls: [run_command: {command: %s}]}, {reply: %s}]}`,
			asJSON("Done"+evil), asJSON("b\x1b[2J\u202e\n.txt"), asJSON("printf '\\033[2J\\377'; touch \"$(printf 'c\\033[2J\\377\\n.txt')\""), reply("")),
		fmt.Sprintf(`{persona: verifier, phase: 1, turns: [{reply: %s}]}`, reply(noted)),
		fmt.Sprintf(`{persona: reviewer, phase: 1, turns: [{reply: %s}]}`, reply(found)),
	}, "\n  - ") + "\n"
}

// TestNothingRawReachesATerminal has every text that comes from a repository or an agent hold control characters, takes a
// session through it, and reads it through every command. What people read with cat, and git's own log, are as clean.
func TestNothingRawReachesATerminal(t *testing.T) {
	t.Parallel()
	p := newEmptyPlace(t)
	p.put(t, filepath.Join(p.repo, "docs", "spec.md"), []byte("# Manners"+evil+"\n\n## Success Criteria\n\n- It greets"+evil+
		"\n\n## Implementation Order\n\n### Phase 1: Greet"+evil+"\n\nSay hello.\n\n### Phase 2: Bye"+evil+" <!-- complexity: high -->\n"))
	p.put(t, filepath.Join(p.repo, "autopilot.yaml"), []byte(`validate: {commands: ["printf '\\033[2J\\377\\0\\342\\200\\256'"]}`))
	p.put(t, p.replay, []byte(evilTurns()))
	p.begin(t)
	look := func(want int, args ...string) {
		t.Helper()
		got := p.command(console.Host{OutTerminal: true, Width: func() int { return 60 }}, args...)
		if raw := rawIn(got.text); raw != "" || got.code != want {
			t.Errorf("autopilot %s: exit code %d, want %d; raw: %s\n%s", strings.Join(args, " "), got.code, want, raw, clip(got.text))
		}
	}
	const spec = "docs/spec.md"
	run := []string{spec, "--replay", p.replay, "--yes", "--verbose"}
	look(3, run...)
	look(0, "status", spec)
	look(0, "answer", spec, "yes")
	look(3, append(run, "--json")...)
	look(0, "status", spec)
	look(0, "answer", spec, "1")
	look(3, run...)
	look(0, "why", spec)
	look(0, "answer", spec, "override", "--reason", "so"+evil)
	look(3, run...)
	for _, args := range [][]string{{"status", spec}, {"why", spec}, {"list"}, {"lint", spec}, {"audit", spec}, {"phases", spec}, {"learnings", "list"}, {"learnings", "list", spec}, {"config"}, {"state", "show", spec}, {"validate"}, {spec, "--dry-run"}} {
		look(0, args...)
		look(0, append(args, "--json")...)
	}
	look(0)
	look(0, "log", spec)
	look(0, "graph", spec)
	for _, name := range []string{"progress.txt", "summary.md", "learnings.md"} {
		text, err := os.ReadFile(filepath.Join(p.session(), name))
		if err != nil {
			t.Error(err)
		}
		if raw := rawIn(string(text)); raw != "" {
			t.Errorf("%s: %s", name, raw)
		}
	}
	if raw := rawIn(p.git(t, "log", "--format=%B")); raw != "" {
		t.Errorf("a commit message: %s", raw)
	}
}

func clip(text string) string { return text[max(0, len(text)-2000):] }
