//go:build unix

package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
)

func TestReplyCountsByItsStatusAndTheExitCode(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		kind   personas.OutcomeKind
		detail string
	}{
		"done and 0":           {`echo '` + done + `' > $AUTOPILOT_REPLY`, personas.GotReply, ""},
		"done and not 0":       {`echo '` + done + `' > $AUTOPILOT_REPLY; echo oops; exit 3`, personas.Crashed, "exit code 3, although its reply says done; the end of its output:\noops"},
		"blocked and not 0":    {`echo '{"status":"blocked","summary":"s","blocker":"b"}' > $AUTOPILOT_REPLY; exit 3`, personas.GotReply, ""},
		"failed and not 0":     {`echo '{"status":"failed","summary":"s"}' > $AUTOPILOT_REPLY; exit 1`, personas.GotReply, ""},
		"none and not 0":       {`echo first; echo last >&2; exit 4`, personas.Crashed, "exit code 4; the end of its output:\nfirst\nlast"},
		"none and 0":           {`exit 0`, personas.NoReply, "without handing in a reply; it printed nothing"},
		"not valid and not 0":  {`echo '{' > $AUTOPILOT_REPLY; exit 5`, personas.Crashed, "exit code 5, and the reply is not valid"},
		"ended by a signal":    {`kill -9 $$`, personas.Crashed, "ended by SIGKILL"},
		"fenced in the output": {"echo 'All is done.'; echo '```json'; echo '" + done + "'; echo '```'", personas.GotReply, ""},
		"the whole output":     {`echo '` + done + `'`, personas.GotReply, ""},
		"fenced and not 0":     {"echo '```json'; echo '" + done + "'; echo '```'; exit 1", personas.Crashed, "although its reply says done"},
		"file before output":   {`echo '{"status":"failed","summary":"s"}' > $AUTOPILOT_REPLY; echo '` + done + `'; exit 1`, personas.GotReply, ""},
	} {
		t.Run(name, func(t *testing.T) {
			wantKind(t, play(t, sh(c.script), world(t)), c.kind, c.detail)
		})
	}
}

// answers hands in the n-th argument in the n-th run, and keeps the prompts.
const answers = `n=$(cat n 2>/dev/null || echo 1); echo $((n+1)) > n; cat > prompt$n; eval "printf %s \"\${$n}\"" > $AUTOPILOT_REPLY`

func TestInvalidReplyIsMendedOnce(t *testing.T) {
	d := world(t)
	out := play(t, sh(answers, `{"v":1,"status":"well","summary":"s"}`, done), d)
	wantKind(t, out, personas.GotReply)
	if out.Turns != 2 {
		t.Errorf("%d runs, not 2", out.Turns)
	}
	prompt := read(t, d.Dir, "prompt2")
	for _, part := range []string{"Your reply could not be taken", `status is "well"`, `"summary":"s"`, d.ReplyPath} {
		if !strings.Contains(prompt, part) {
			t.Errorf("%q is not in the second prompt:\n%s", part, prompt)
		}
	}
	if kept := read(t, d.AttemptDir, "repair.md"); kept != prompt {
		t.Error("the second prompt was not kept with the attempt")
	}
	if log := read(t, d.AttemptDir, "output.log"); !strings.Contains(log, "!! The reply was not taken") {
		t.Errorf("the log does not tell of it:\n%s", log)
	}
}

func TestWorkThatDoesNotPassIsMendedInTheOneRepairTurn(t *testing.T) {
	const lost = `{"v":1,"status":"done","summary":"Did it.","remarks":"slow"}`
	for name, c := range map[string]struct {
		second string
		want   []string
	}{
		"mended":             {done, []string{"Do the task.", "Your reply was not taken", "want hello", "remarks is not a field"}},
		"the same again":     {lost, nil},
		"nothing afterwards": {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d, checks := world(t), 0
			d.Check = func(context.Context, personas.Reply) (string, error) { checks++; return "want hello", nil }
			out := play(t, sh(answers, lost, c.second), d)
			wantKind(t, out, personas.GotReply)
			if out.Turns != 2 || checks != 1 || out.Reply.Summary != "Did it." {
				t.Errorf("%d runs, %d checks: %+v", out.Turns, checks, out.Reply)
			}
			prompt := read(t, d.Dir, "prompt2")
			for _, part := range c.want {
				if !strings.Contains(prompt, part) {
					t.Errorf("%q is not in the second prompt:\n%s", part, prompt)
				}
			}
		})
	}
}

func TestUnknownFieldsOfAReplyAreToldOnce(t *testing.T) {
	d := world(t)
	wantKind(t, play(t, sh(answers, `{"v":1,"status":"done","summary":"s","remarks":"slow"}`, done), d), personas.GotReply)
	if prompt := read(t, d.Dir, "prompt2"); !strings.Contains(prompt, "remarks is not a field") || !strings.Contains(prompt, `"remarks":"slow"`) || strings.Contains(prompt, "Do the task.") {
		t.Error(prompt)
	}
}

func TestSecondInvalidReplyIsNone(t *testing.T) {
	out := play(t, sh(answers, `{`, `{"v":1,"status":"well","summary":"s"}`), world(t))
	wantKind(t, out, personas.NoReply, "neither was the second", `status is "well"`)
}

func TestRepairThatBringsNothingSaysWhatWasWrong(t *testing.T) {
	d := world(t)
	out := play(t, sh(`test -e n && exit 0; touch n; echo '{' > $AUTOPILOT_REPLY`), d)
	wantKind(t, out, personas.NoReply, "it is not JSON", "without handing in a reply")
}

func TestRepairPromptStandsInItsOwnFile(t *testing.T) {
	d := world(t)
	b := sh(`cat "$1" > prompt; basename "$1" >> names; test -e n || { touch n; echo '{' > $AUTOPILOT_REPLY; exit; }; echo '`+done+`' > $AUTOPILOT_REPLY`, "{prompt_file}")
	wantKind(t, play(t, b, d), personas.GotReply)
	if names := read(t, d.Dir, "names"); names != "prompt.md\nrepair.md\n" {
		t.Errorf("the files of the prompts were %q", names)
	}
	if !strings.Contains(read(t, d.Dir, "prompt"), "could not be taken") {
		t.Error("the second file holds another prompt")
	}
}

func TestWhatThePersonaOwesIsAskedFor(t *testing.T) {
	d := world(t)
	d.Persona.Owes = []string{"summary", "planPath"}
	out := play(t, sh(answers, done, `{"v":1,"status":"done","summary":"s","planPath":"docs/plans/a.md"}`), d)
	wantKind(t, out, personas.GotReply)
	if out.Reply.PlanPath != "docs/plans/a.md" {
		t.Errorf("the reply is %+v", out.Reply)
	}
}

func TestReplyThatIsNoPlainFileIsRefused(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "reply.json")
	write(t, secret, done)
	for name, c := range map[string]struct{ script, problem string }{
		"a link out of the tree": {"ln -s " + secret + " $AUTOPILOT_REPLY", "a symbolic link"},
		"a link in the tree":     {"echo '" + done + "' > a.json; ln -s $PWD/a.json $AUTOPILOT_REPLY", "a symbolic link"},
		"a folder":               {"mkdir $AUTOPILOT_REPLY", "a folder"},
		"a named pipe":           {"mkfifo $AUTOPILOT_REPLY", "a named pipe"},
		"too large":              {"head -c 1048577 /dev/zero > $AUTOPILOT_REPLY", "larger than"},
		"empty":                  {": > $AUTOPILOT_REPLY", "it is empty"},
		"a folder that leads out": {
			"rm -rf .harness/out/d1; ln -s " + filepath.Dir(secret) + " .harness/out/d1", "no place for another",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantKind(t, play(t, sh(c.script), world(t)), personas.NoReply, c.problem)
			if got := read(t, secret); got != done {
				t.Errorf("the file outside the tree holds %q", got)
			}
		})
	}
}

func TestReplyFromBeforeTheRunDoesNotCount(t *testing.T) {
	d := world(t)
	write(t, d.ReplyPath, done)
	write(t, filepath.Join(d.OutDir, "handoff.json"), `{"summary":"old"}`)
	write(t, filepath.Join(d.Dir, ".harness/handoff.json"), `{"summary":"old"}`)
	wantKind(t, play(t, sh("true"), d), personas.NoReply)
}

func TestOlderHandoffIsRead(t *testing.T) {
	for _, place := range []string{".harness/out/d1/handoff.json", ".harness/handoff.json"} {
		t.Run(place, func(t *testing.T) {
			d := world(t)
			write(t, filepath.Join(d.Dir, ".harness/handoff.json"), `{"summary":"old"}`)
			out := play(t, sh(fmt.Sprintf(`echo '{"fromSkill":"x","summary":"Built it.","pending":[],"blockers":[]}' > %s`, place)), d)
			wantKind(t, out, personas.GotReply)
			if out.Reply.Summary != "Built it." || out.Reply.Status != personas.StatusDone {
				t.Errorf("the reply is %+v", out.Reply)
			}
		})
	}
}

func TestProgramMayRemoveItsFolder(t *testing.T) {
	d := world(t)
	b := sh(`test -e n || { touch n; echo '{' > $AUTOPILOT_REPLY; exit; }; rm -r .harness/out/d1; mkdir -p .harness/out/d1; echo '` + done + `' > $AUTOPILOT_REPLY`)
	wantKind(t, play(t, b, d), personas.GotReply)
	if _, err := os.Stat(d.ReplyPath); err != nil {
		t.Error(err)
	}
}
