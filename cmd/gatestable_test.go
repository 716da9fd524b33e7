package cmd_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// gate is a question, how a session comes to it, and its answers.
type gate struct {
	name string
	arrival
	at      string // where the session stands at the question
	answers []said
}

// gates has each kind of question; blocked and no_output once for each state, since their options differ.
var gates = []gate{
	{
		"baseline_red in INIT",
		arrival{flags: "--fast", config: "validate: {commands: [no-such-program]}\n", turns: []string{planned(oneTask)}},
		"INIT baseline ? baseline_red",
		[]said{{option: "retry", lands: "INIT baseline", stops: "3 INIT baseline ? baseline_red"}, {option: "continue", reason: "CI runs it", lands: "ASSESS look", stops: "5 EXECUTE dispatch"}},
	},
	{
		"baseline_red in VERIFY",
		arrival{
			flags: "--fast", config: "validate: {commands: [sh test.sh]}\n", turns: []string{planned(oneTask), executes},
			before: writing("test.sh", "echo no connection; exit 1\n"),
		},
		"VERIFY commands ? baseline_red",
		[]said{{option: "retry", lands: "VERIFY commands", stops: "3 VERIFY commands ? baseline_red"}, {option: "continue", reason: "the server is down", lands: "VERIFY commands", stops: "5 REVIEW review"}},
	},
	{
		"spec_changed",
		arrival{
			flags: "--fast", phases: 2, turns: []string{planned(oneTask), executes, reviews},
			then: func(t *testing.T, p *place) {
				writing("docs/spec.md", "# Manners\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: low -->\n\nSay it twice.\n\n### Phase 2: Part 2\n")(t, p)
				p.runs(t, nil, "--non-interactive")
			},
		},
		"PHASE_COMPLETE continue ? spec_changed",
		[]said{
			{option: "keep", lands: "PHASE_COMPLETE continue ? continue", stops: "3 PHASE_COMPLETE continue ? continue"},
			{option: "redo", phase: 1, lands: "ASSESS look", stops: "5 EXECUTE dispatch"},
		},
	},
	{
		"plan_wanted",
		arrival{flags: "--fast", complexity: "high"},
		"PLAN await ? plan_wanted",
		[]said{
			{option: "done", lands: "PLAN find", stops: "3 PLAN await ? plan_wanted"},
			{option: "skip", reason: "not now", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
		},
	},
	{
		"approve_skeleton",
		arrival{flags: "--thorough", turns: []string{outside("planner", "skeleton", "done")}},
		"PLAN skeleton_reply ? approve_skeleton",
		[]said{
			{option: "yes", lands: "PLAN plan", stops: "5 PLAN plan"},
			{option: "revise", reason: "say which word", lands: "PLAN skeleton", stops: "5 PLAN skeleton"},
			{option: "skip", reason: "not now", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
		},
	},
	{
		"approve_plan",
		arrival{flags: "--review-plans", turns: []string{planned(oneTask)}},
		"APPROVE_PLAN weigh ? approve_plan",
		[]said{
			{option: "yes", lands: "EXECUTE plan_commit", stops: "5 EXECUTE dispatch"},
			{option: "revise", reason: "two tasks", lands: "PLAN plan", stops: "5 PLAN plan"},
			{option: "skip", reason: "not now", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
		},
	},
	{
		"approve_plan of a cycle",
		arrival{flags: "--fast", turns: []string{planned(oneTask + "**Depends on:** Task 1\n")}},
		"APPROVE_PLAN weigh ? approve_plan",
		[]said{
			{option: "revise", reason: "begin at the beginning", lands: "PLAN plan", stops: "5 PLAN plan"},
			{option: "skip", reason: "not now", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
		},
	},
	{
		"pause",
		arrival{config: "pause_every: 1\n", turns: []string{planned(oneTask)}},
		"EXECUTE dispatch ? pause",
		[]said{{option: "continue", lands: "EXECUTE dispatch", stops: "5 EXECUTE dispatch"}},
	},
	{"no_output in PLAN", arrival{turns: twice("planner", "phase: 1")}, "PLAN plan ? no_output", inPlan},
	{"no_output in VERIFY", arrival{turns: append(twice("verifier", "phase: 1"), planned(oneTask), executes)}, "VERIFY verifier ? no_output", inVerify},
	{"no_output in REVIEW", arrival{flags: "--fast", turns: append(twice("reviewer", "phase: 1"), planned(oneTask), executes)}, "REVIEW review ? no_output", inReview},
	{"no_output in FINAL_REVIEW", arrival{flags: "--fast --yes", turns: []string{planned(oneTask), executes, reviews, twice("reviewer", "task: final")[0]}, last: twice("reviewer", "task: final")[1]}, "FINAL_REVIEW review ? no_output", atTheEnd},
	{"blocked in PLAN", arrival{turns: []string{outside("planner", "", "blocked")}}, "PLAN plan ? blocked", inPlan},
	{
		"blocked in EXECUTE",
		arrival{turns: []string{planned(oneTask), outside("executor", "task-001", "blocked")}},
		"EXECUTE dispatch ? blocked",
		[]said{
			{option: "retry", reason: "the key is there", lands: "EXECUTE dispatch", stops: "5 EXECUTE dispatch"},
			{option: "revise", reason: "do without the key", lands: "PLAN plan", stops: "5 PLAN plan"},
		},
	},
	{"blocked in VERIFY", arrival{turns: []string{planned(oneTask), executes, outside("verifier", "", "blocked")}}, "VERIFY verifier ? blocked", inVerify},
	{"blocked in REVIEW", arrival{flags: "--fast", turns: []string{planned(oneTask), executes, outside("reviewer", "", "blocked")}}, "REVIEW review ? blocked", inReview},
	{"blocked in FINAL_REVIEW", arrival{flags: "--fast --yes", turns: []string{planned(oneTask), executes, reviews}, last: fmt.Sprintf(says, "reviewer", ", task: final", "{status: blocked, summary: It is dark., blocker: It is dark.}")}, "FINAL_REVIEW review ? blocked", atTheEnd},
	{
		"blocked in PLAN, a person's turn",
		arrival{flags: "--fast", byHand: true, config: "backend: me\nbackends: {me: {type: manual}}\n"},
		"PLAN plan ? blocked",
		[]said{
			{option: "done", summary: "Planned.", before: writing("docs/plans/greet-plan.md", oneTask), lands: "PLAN plan", stops: "5 EXECUTE dispatch"},
			{option: "retry", reason: "look again", lands: "PLAN plan", stops: "3 PLAN plan ? blocked"},
			inPlan[1],
		},
	},
	{
		"dirty_overlap",
		arrival{flags: "--fast --allow-dirty", turns: []string{planned(oneTask)}, before: writing("greet.txt", "mine\n")},
		"EXECUTE pick ? dirty_overlap",
		[]said{
			{option: "done", lands: "EXECUTE pick", stops: "3 EXECUTE pick ? dirty_overlap"},
			{
				option: "done", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch",
				before: func(t *testing.T, p *place) { p.git(t, "commit", "-q", "-m", "Mine", "greet.txt") },
			},
		},
	},
	{
		"checkpoint decision",
		arrival{flags: "--fast", turns: []string{planned(oneTask + "\n[checkpoint:decision] Which language?\n- English\n- Latin\n")}},
		"EXECUTE pick ? checkpoint",
		[]said{
			{option: "1", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
			{option: "2", reason: "it sounds better", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch", mute: "terminal"},
			{option: "other", reason: "Greek", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
		},
	},
	{
		"checkpoint human-action",
		arrival{flags: "--fast", turns: []string{planned(oneTask + "\n[checkpoint:human-action] Buy a stamp.\n")}},
		"EXECUTE pick ? checkpoint",
		[]said{{option: "done", lands: "EXECUTE checkpoint_commit", stops: "5 EXECUTE dispatch"}},
	},
	{
		"checkpoint human-verify",
		arrival{flags: "--fast", turns: []string{planned(oneTask + "\n[checkpoint:human-verify] Read it.\n"), executes}},
		"EXECUTE pick ? checkpoint",
		[]said{
			{option: "yes", lands: "EXECUTE checkpoint_commit", stops: "5 REVIEW review"},
			{option: "fix", reason: "too loud", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
		},
	},
	{
		"already_done",
		arrival{flags: "--fast", turns: []string{planned(strings.ReplaceAll(oneTask, "grep -q hello greet.txt", "test -f docs/spec.md")), fmt.Sprintf(says, "executor", ", phase: 1, task: task-001", "{status: done, summary: It was there.}")}},
		"EXECUTE validate ? already_done",
		[]said{
			{option: "skip", lands: "EXECUTE validate", stops: "5 REVIEW review"},
			{option: "retry", reason: "greet.txt is missing", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
		},
	},
	{
		"large_change",
		arrival{flags: "--fast", turns: []string{planned(oneTask), strings.Replace(executes, `"hello\n"}`, `"hello\n"}, run_command: {command: truncate -s 11M big.bin}`, 1)}},
		"EXECUTE validate ? large_change",
		[]said{
			{option: "commit", lands: "EXECUTE validate", stops: "5 REVIEW review"},
			{option: "ignore", lands: "EXECUTE validate", stops: "5 REVIEW review"},
			{option: "discard", lands: "EXECUTE validate", stops: "5 REVIEW review"},
		},
	},
	{
		"tasks_exhausted",
		arrival{flags: "--fast", config: "retries: 0\n", turns: []string{planned(strings.ReplaceAll(oneTask, "-q hello", "-q good.*hello")), executes}},
		"EXECUTE recovery_commit ? tasks_exhausted",
		[]said{
			{option: "continue", lands: "EXECUTE rescue", stops: "3 EXECUTE rescue ? tasks_exhausted"},
			{option: "continue", before: writing("greet.txt", "good hello\n"), lands: "EXECUTE rescue", stops: "5 REVIEW review"},
			{option: "retry", reason: "say good hello", lands: "EXECUTE pick", stops: "5 EXECUTE diagnose"},
			{option: "skip", reason: "somebody else greets", lands: "EXECUTE pick", stops: "3 VERIFY commands ? verify_failed"},
			{option: "revise", reason: "ask for less", lands: "PLAN plan", stops: "5 PLAN plan"},
		},
	},
	{
		"verify_failed",
		arrival{flags: "--fast", config: "validate: {commands: ['test -f good.txt || ! grep hello greet.txt']}\n", turns: []string{planned(oneTask), executes}},
		"VERIFY commands ? verify_failed",
		[]said{
			{option: "fix", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
			{option: "continue", lands: "VERIFY human_commit", stops: "3 VERIFY commands ? verify_failed"},
			{option: "continue", before: writing("good.txt", ""), lands: "VERIFY human_commit", stops: "5 REVIEW review"},
			{option: "skip", reason: "CI knows", lands: "REVIEW review", stops: "5 REVIEW review"},
		},
	},
	{
		"review_blocking",
		arrival{flags: "--fast", turns: []string{planned(oneTask), executes, fmt.Sprintf(says, "reviewer", ", phase: 1", loud)}},
		"REVIEW review ? review_blocking",
		[]said{
			{option: "fix", lands: "EXECUTE pick", stops: "5 EXECUTE dispatch"},
			{option: "continue", before: writing("greet.txt", "hello, softly\n"), lands: "REVIEW human_commit", stops: "5 REVIEW review"},
			{option: "override", reason: "loud is fine", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
		},
	},
	{
		"continue",
		arrival{flags: "--fast", phases: 2, turns: []string{planned(oneTask), executes, reviews}},
		"PHASE_COMPLETE continue ? continue",
		[]said{{option: "yes", lands: "ASSESS look", stops: "5 PLAN plan"}},
	},
	{
		"final_blocking",
		arrival{flags: "--fast --yes", turns: []string{planned(oneTask), executes, reviews}, last: fmt.Sprintf(says, "reviewer", ", task: final", loud)},
		"FINAL_REVIEW review ? final_blocking",
		[]said{
			{option: "fix", lands: "FINAL_REVIEW pick", stops: "5 FINAL_REVIEW dispatch"},
			{option: "continue", before: writing("greet.txt", "hello, softly\n"), lands: "FINAL_REVIEW human_commit", stops: "5 FINAL_REVIEW review"},
			{option: "override", reason: "loud is fine", lands: "DONE close", stops: "0 DONE closed"},
		},
	},
	{
		"effect_unclear",
		arrival{
			flags: "--fast", turns: []string{planned(oneTask)}, disk: failingDisk{at: `"type":"effect_done"`},
			then: func(t *testing.T, p *place) {
				p.git(t, "commit", "-q", "--amend", "-m", "Somebody else")
				p.runs(t, nil, "--non-interactive")
			},
		},
		"EXECUTE plan_commit ? effect_unclear",
		[]said{
			{option: "adopt", lands: "EXECUTE plan_commit", stops: "5 EXECUTE dispatch"},
			{option: "repeat", lands: "EXECUTE plan_commit", stops: "5 EXECUTE dispatch"},
		},
	},
}

// loud is the reply of a reviewer with a finding that blocks.
const loud = "{status: done, summary: Loud., findings: [{severity: critical, file: greet.txt, line: 1, title: It is too loud, rationale: People sleep.}]}"

// The answers of a dispatch that cannot go on, by the state it stands in.
var (
	inPlan = []said{
		{option: "retry", reason: "look again", lands: "PLAN plan", stops: "5 PLAN plan"},
		{option: "skip", reason: "not now", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
	}
	inVerify = []said{
		{option: "retry", reason: "look again", lands: "VERIFY verifier", stops: "5 VERIFY verifier"},
		{option: "skip", reason: "I looked", lands: "REVIEW review", stops: "5 REVIEW review"},
	}
	atTheEnd = []said{
		{option: "retry", reason: "look again", lands: "FINAL_REVIEW review", stops: "5 FINAL_REVIEW review"},
		{option: "skip", reason: "I looked", lands: "DONE close", stops: "0 DONE closed"},
	}
	inReview = []said{
		{option: "retry", reason: "look again", lands: "REVIEW review", stops: "5 REVIEW review"},
		{option: "skip", reason: "I looked", lands: "PHASE_COMPLETE record", stops: "3 PHASE_COMPLETE continue ? continue"},
	}
)

// writing is a person who writes a file of the repository.
func writing(name, text string) func(*testing.T, *place) {
	return func(t *testing.T, p *place) { p.put(t, filepath.Join(p.repo, filepath.FromSlash(name)), []byte(text)) }
}

// outside is a dispatch of phase 1 that ends with a status and does nothing.
func outside(persona, task, status string) string {
	where := ", phase: 1"
	if task != "" {
		where += ", task: " + task
	}
	return fmt.Sprintf(says, persona, where, "{status: "+status+", summary: It is dark., blocker: It is dark.}")
}

// twice is a persona whose first two dispatches bring nothing.
func twice(persona, where string) []string {
	return []string{fmt.Sprintf(silent, persona, ", "+where), fmt.Sprintf(silent, persona, ", attempt: 2, "+where)}
}
