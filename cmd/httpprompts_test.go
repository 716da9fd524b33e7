package cmd_test

import (
	"slices"
	"strings"
)

// sentWhatAPersonaNeeds looks into the prompts: what every dispatch has to name, then what each has besides.
func (j *journey) sentWhatAPersonaNeeds() {
	j.t.Helper()
	s := j.state("spec")
	prompts := map[string]string{}
	for _, a := range j.server.asked {
		prompts[a.key.String()] = a.prompt
		j.offersTools(a)
		for _, want := range []string{
			"Rigor: standard", " in `.harness/sessions/spec/spec.md`", "Session folder: `.harness/sessions/spec`", "Keep one phrase a line.",
			"A greeting is there.", "A farewell comes after the greeting.", "- `test -s README.md`",
			"Scratchpad: `.harness/out/", "Do not ask", "Do not chain", "Do not commit",
		} {
			if !strings.Contains(a.prompt, want) {
				j.t.Errorf("%s does not name %q", a.key, want)
			}
		}
	}
	commit := func(subject string) string {
		return j.git("log", "-1", "--format=%H", "--fixed-strings", "--grep="+subject)
	}
	for key, c := range map[string]struct{ holds, lacks []string }{
		"planner phase 1 attempt 1":           {holds: []string{"Travellers begin with a friendly word.", "-greeting-plan.md"}, lacks: []string{"## The plan\n", "What earlier phases changed"}},
		"executor phase 1 task-001 attempt 1": {holds: []string{"Travellers begin", "1. Write the greeting in small letters.", "Attempt: 1 of 4", "cat phrases.txt; grep -q"}, lacks: []string{"What went wrong before", "Learned before", "heartfelt"}},
		"executor phase 1 task-001 attempt 2": {holds: []string{"What went wrong before", "HELLO", "exit 1", "Attempt: 2 of 4", "git diff " + commit("Plan: Greeting")}, lacks: []string{"File phrases.txt"}},
		"verifier phase 1 attempt 1":          {holds: []string{s.Phases[0].StartCommit + ".." + commit("Say hello"), "+hello", "exit code 0: `cat phrases.txt; grep", "```data\nhello\n```", "Phrases are written in small letters.", "1. Write the greeting", "which proves nothing", "The last commits"}},
		"reviewer phase 1 attempt 1":          {holds: []string{s.Phases[0].StartCommit + ".." + commit("Say hello"), "+hello", "No full stop ends the greeting", "exit code 0"}},
		"executor phase 2 task-001 attempt 1": {holds: []string{"Travellers leave with another one.", "How warm is the farewell?", "**heartfelt**", "Phrases are written in small letters.", "What the last dispatch handed over", "The last commits", "How the phases before ended", "Files:\n"}},
		"verifier phase 2 attempt 1":          {holds: []string{"**heartfelt**", s.Phases[1].StartCommit + "..", "+goodbye, dear friend"}, lacks: []string{"+hello"}},
		"reviewer phase 2 attempt 1":          {holds: []string{"**heartfelt**", "# Plan: Farewell", "which proves nothing", "How the phases before ended"}},
		"planner phase 3 attempt 1":           {holds: []string{"A script that asks politely.", s.StartingCommit + ".." + commit("Say goodbye")}, lacks: []string{"heartfelt"}},
		"planner phase 3 attempt 2":           {holds: []string{"> Please is the polite word.", "1. The script prints a question.", "Write the plan to: `docs/plans/manners-plan.md`"}},
		"executor phase 3 task-001 attempt 2": {holds: []string{"\n2000\n"}, lacks: []string{"as it is now", "\n1000\n"}},
		"executor phase 3 task-001 attempt 3": {holds: []string{"File manners.py as it is now", "give me now"}, lacks: []string{"What these files import", "\n1000\n"}},
		"verifier phase 3 task-001 attempt 1": {holds: []string{"Attempt: 2 failed so far", "Attempt 1: the agent reported", "Attempt 2: the agent reported", "\n1000\n", "give me now"}},
		"executor phase 3 task-001 attempt 4": {holds: []string{"What these files import", "from phrases import FAREWELL", "\n1000\n", "The magic word is the one that grep looks for.", "1. The script prints a question with the magic word."}},
		"reviewer final attempt 1":            {holds: []string{"Every phrase stands alone.", s.StartingCommit + ".." + commit("Ask politely"), "+goodbye, dear friend", "+print('please give it')", "A greeting could name the traveller", "2, Farewell: complete, 1 task, verified: yes"}},
	} {
		for _, want := range c.holds {
			if !strings.Contains(prompts[key], want) {
				j.t.Errorf("%s does not hold %q:\n%s", key, want, prompts[key])
			}
		}
		for _, other := range c.lacks {
			if strings.Contains(prompts[key], other) {
				j.t.Errorf("%s holds %q", key, other)
			}
		}
		if n := strings.Count(prompts[key], "\ndiff --git a/phrases.txt"); n > 1 {
			j.t.Errorf("%s holds the diff %d times", key, n)
		}
	}
}

// offersTools looks at the tools of a request: each persona has its own, each with a schema.
func (j *journey) offersTools(a asked) {
	j.t.Helper()
	var names []string
	for _, tool := range a.chat.Tools {
		names = append(names, tool.Function.Name)
		if tool.Type != "function" || tool.Function.Parameters.Type != "object" || len(tool.Function.Parameters.Properties) == 0 {
			j.t.Errorf("%s: tool %+v has no schema of an object", a.key, tool)
		}
	}
	may := map[string][]string{"planner": {"write_file"}, "executor": {"write_file", "run_command"}, "verifier": {"run_command"}}[a.key.Persona]
	if a.key.Persona == "verifier" && a.key.Task != "" {
		may = nil // a diagnosis only reads
	}
	for _, name := range []string{"write_file", "run_command"} {
		if slices.Contains(names, name) != slices.Contains(may, name) {
			j.t.Errorf("%s is offered %v", a.key, names)
		}
	}
	if !slices.Contains(names, "submit_reply") || !slices.Contains(names, "read_file") {
		j.t.Errorf("%s is offered %v", a.key, names)
	}
}
