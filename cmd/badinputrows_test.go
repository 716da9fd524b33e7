package cmd_test

import (
	"slices"
	"strings"
)

const (
	goodSpec = "# Manners\n\n## Implementation Order\n\n### Phase 1: Greet <!-- complexity: low -->\n\nSay hello.\n"
	begun    = "# T\n## Implementation Order\n"
	badFile  = "docs/bad.md"
	badState = ".harness/sessions/spec/autopilot-state.json"
)

// badInputs are all of them, under the headings that they have in docs/errors.md.
func badInputs() []badGroup {
	return []badGroup{
		{"Commands", badCommands()},
		{"Flags", badFlags()},
		{"Specs", slices.Concat(badSpecs(), bombs())},
		{"Configuration", badConfigurations()},
		{"Recorded turns", badReplays()},
		{"Plans", badPlans()},
		{"State, personas and the roadmap", badFiles()},
		{"Task files", badTasks()},
		{"Hooks", badHooks()},
	}
}

func badCommands() []badInput {
	return []badInput{
		{name: "misspelt command", args: "doktor", code: 2, wrong: `"doktor" is neither`, to: "did you mean doctor"},
		{name: "unknown command", args: "frobnicate", code: 2, wrong: "neither a command nor a spec", to: "autopilot --help"},
		{name: "unknown flag", args: "--frobnicate", code: 2, wrong: "unknown flag: --frobnicate", to: "--help"},
		{name: "unknown letter", args: "-x", code: 2, wrong: "unknown shorthand flag", to: "--help"},
		{name: "empty argument", args: `""`, code: 2, wrong: "one spec at a time", to: "autopilot docs/spec.md"},
		{name: "two specs", args: "docs/spec.md docs/b.md", code: 2, wrong: "one spec", to: "autopilot docs/spec.md"},
		{name: "run without a spec", args: "run", code: 2, wrong: "spec", to: "autopilot run docs/spec.md"},
		{name: "answer without a spec", args: "answer", code: 2, wrong: "there are no sessions here", to: "autopilot docs/spec.md"},
		{name: "stop without a session", args: "stop docs/spec.md", code: 2, wrong: "no session", to: "autopilot docs/spec.md"},
		{name: "diff without a session", args: "diff docs/spec.md", code: 2, wrong: "no session", to: "autopilot docs/spec.md"},
		{name: "answer without a session", args: "answer docs/spec.md yes", code: 2, wrong: "no session", to: "autopilot docs/spec.md"},
		{name: "note without a text", args: `note docs/spec.md ""`, code: 2, wrong: "a spec and a text", to: "autopilot note docs/spec.md"},
		{name: "note without a session", args: "note docs/spec.md word", code: 2, wrong: "no session", to: "Start one"},
		{name: "status of nothing", args: "status", code: 2, wrong: "no sessions here", to: "autopilot docs/spec.md"},
		{name: "status of no session", args: "status docs/none.md", code: 2, wrong: "no session for docs/none.md", to: "autopilot list"},
		{name: "graph of no session", args: "graph docs/none.md", code: 2, wrong: "no session", to: "autopilot list"},
		{name: "audit of no session", args: "audit docs/none.md", code: 2, wrong: "no session", to: "autopilot list"},
		{name: "mcp of no session", args: "mcp docs/none.md", code: 2, wrong: "no session", to: "autopilot list"},
		{name: "log with less than no lines", args: "log docs/spec.md -n -1", code: 2, wrong: "number of lines", to: "autopilot log docs/spec.md -n 20"},
		{name: "phases in no way", args: "phases docs/spec.md frob", code: 2, wrong: "list, skip N", to: "autopilot phases docs/spec.md skip 3"},
		{name: "plan in two ways", args: "plan docs/spec.md --edit --draft", code: 2, wrong: "exclude each other", to: "choose one"},
		{name: "state of no file", args: "state show none", code: 2, wrong: "no file none", to: "autopilot state show docs/spec.md"},
		{name: "roadmap that is not there", args: "roadmap sync", code: 2, wrong: "there is no docs/roadmap.md", to: "Write one"},
		{name: "draft of nothing", args: "spec draft", code: 2, wrong: "say what you want", to: "autopilot spec draft"},
		{name: "draft of no file", args: "spec draft --file none.txt", code: 2, wrong: "cannot read the text", to: "Name an existing file"},
		{name: "shell that nobody knows", args: "completion ksh", code: 2, wrong: "ksh", to: "autopilot completion bash"},
		{name: "demo over work", args: "demo --keep docs", code: 2, wrong: "docs is not empty", to: "name a folder"},
		{name: "help on nothing", args: "help none", code: 2, wrong: `no help for "none"`, to: "autopilot --help"},
		{name: "hook that nobody knows", args: "hook none", code: 2, wrong: "none", to: "autopilot hook install"},
		{name: "state in no way", args: "state frob", code: 2, wrong: "frob", to: "autopilot state show"},
		{name: "checkpoint of no task", args: "tasks checkpoint", code: 2, wrong: "takes STEP/TOTAL", to: "autopilot tasks checkpoint"},
		{name: "spec whose name not every system takes", args: "docs/~^:?*[.md", code: 2, wrong: "contains ':'", to: "rename the file"},
		{name: "--json without a spec", args: "--json", code: 2, wrong: "--json needs a spec", to: "autopilot docs/spec.md --json"},
	}
}

func badFlags() []badInput {
	row := func(flags string, code int, wrong, to string) badInput {
		return badInput{name: flags, args: "docs/spec.md " + flags, code: code, wrong: wrong, to: to}
	}
	return []badInput{
		row("--fast --thorough", 2, "--thorough", "leave one out"),
		row("--parallel 0", 2, "parallel must be 1 or more", "not 0"),
		row("--parallel many", 2, "--parallel takes a whole number", "--help"),
		row("--max-tokens 99999999999999999999", 2, "--max-tokens takes a whole number", "--help"),
		row("--max-duration -5m", 2, "limits.max_duration must be more than 0", "not -5m"),
		row("--max-duration 3x", 2, "--max-duration takes a time such as 90s", "--help"),
		row("--wait maybe", 2, "limits.wait must be auto, never", "30m"),
		row("--pause-every -1", 2, "pause_every must be 0 or more", "not -1"),
		row("--config none.yaml", 2, "none.yaml: does not exist", "name an existing file with --config"),
		row("--config docs", 2, "is not a regular file", "put a YAML file in its place"),
		row("--backend none", 4, `no backend "none"`, "There are: "),
		row("--replay none.yaml", 2, "reading the replay file", "name an existing file with --replay"),
		row("--replay docs", 2, "docs: it is not a plain file", "name an existing file with --replay"),
	}
}

func badSpecs() []badInput {
	row := func(name, text, wrong, to string) badInput {
		return badInput{name: name, args: badFile + " --dry-run", files: map[string]string{badFile: text}, code: 2, wrong: wrong, to: to}
	}
	at := func(name, path, wrong, to string) badInput {
		return badInput{name: name, args: path + " --dry-run", code: 2, wrong: wrong, to: to}
	}
	named := func(name, file, path, wrong, to string) badInput {
		return badInput{name: name, args: path + " --dry-run", files: map[string]string{file: goodSpec}, code: 2, wrong: wrong, to: to}
	}
	return []badInput{
		row("empty spec", "", "the file is empty", "write the document first"),
		row("spec of blanks", " \n\t\n", "the file is empty", "write the document first"),
		row("spec without phases", "# T\n\n## About\n", "no section lists the phases", "## Implementation Order"),
		row("order without phases", begun, "lists no phases", "### Phase 1: Name"),
		row("plan instead of a spec", "# Widget Implementation Plan\n### Task 1: A\n", `line 2: "Task 1: A" is a task`, "# Plan:"),
		row("phase twice", begun+"### Phase 1: A\n### Phase 1: B\n", "phase 1 is also on line 3", "its own number"),
		row("phase in another form", begun+"### Phase 1: A\n- [ ] **Phase 2: B**\n", `line 4: "Phase 2: B" looks like a phase`, "### Phase 2: B"),
		row("phase struck out", begun+"### Phase 1: A\n### ~~Phase 2: B~~\n", `line 4: "B" is struck out`, "delete it"),
		row("heading inside a phase", begun+"### Phase 1: A\n## Goal\n### Phase 2: B\n", `line 5: "Phase 2: B" isn't read as a phase`, "#### Goal"),
		row("tasks instead of phases", begun+"### Task 1: A\n1. Open\n### Task 2: B\n", `line 3: "Open" on line 4 is read as a phase`, "### Phase 1: A"),
		row("complexity that nobody knows", begun+"### Phase 1: A <!-- complexity: huge -->\n", `complexity "huge" is not known`, "low, medium or high"),
		row("two orders", begun+begun+"### Phase 1: A\n", "two sections", "rename the other"),
		row("phases in a fence that never ends", "# T\n```\n## Implementation Order\n### Phase 1: A\n", "no section lists the phases", "add a heading"),
		row("spec in another encoding", "\xff\xfe#\x00", "not UTF-8", "save the file as UTF-8"),
		row("half a character", begun+"### Phase 1: A\xc3\n", "line 3: the file is not UTF-8", "save the file as UTF-8"),
		row("line without end", begun+"### Phase 1: A\n"+strings.Repeat("> ", 20_000), "the line has 40000 bytes", "break the line"),
		row("spec without end", begun+"### Phase 1: A\n"+strings.Repeat("x\n", 600_000), "more than the 1000000", "split the spec into smaller ones"),
		row("control characters", "# T\n## Implementation\x1b[2J Order\u202e\n", "no section lists the phases", "add a heading"),
		at("spec that is not there", "docs/none.md", "can't read the spec", "Name an existing Markdown file"),
		at("spec that is a folder", "docs/", "can't read the spec", "Name an existing Markdown file"),
		at("spec outside of every repository", "../outside.md", "is outside of this repository", "Move the spec"),
		at("spec behind a folder that is a file", "docs/spec.md/x.md", "not a directory", "Name an existing"),
		named("name that would collide", "docs/a--b.md", "docs/a--b.md", "contains '--'", "rename the file"),
		named("name that begins with a dash", "--yes.md", "./--yes.md", "contains '--'", "rename the file"),
		named("name in two lines", "docs/a\nb.md", `docs/a\nb.md`, `docs/a\nb.md" can't be the path of a spec`, "rename the file"),
	}
}

// bombs are small enough to be read, and written to keep their reader busy.
func bombs() []badInput {
	row := func(name, text, wrong, to string) badInput {
		return badInput{name: name, args: "lint " + badFile, files: map[string]string{badFile: begun + "### Phase 1: A\n" + text}, code: 2, wrong: wrong, to: to}
	}
	many := func(line string, n int) string { return strings.Repeat(line+"\n", n) }
	return []badInput{
		row("very deep quotations", many(strings.Repeat("> ", 9000)+"a", 9), ":4: lists and quotations are nested too deep", "nest them less deep"),
		row("very many stars in a paragraph", many("*a_", 100_000), ":4: too many marks", "split the paragraph"),
		row("very many brackets in a paragraph", many("[a](", 100_000), ":4: too many marks", "split the paragraph"),
		row("a table of millions of empty cells", many(strings.Repeat("|a", 5000), 1)+many(strings.Repeat("|-", 5000), 1)+many("|", 9000), ":4: too many marks", "split the paragraph"),
	}
}

func badHooks() []badInput {
	row := func(name, input string) badInput {
		return badInput{name: name, args: "hook stop", input: input, code: 0}
	}
	return []badInput{
		row("input that is no JSON: as if there were none", "{"),
		row("a key twice: the last one counts", `{"session_id":"a","session_id":"b"}`),
	}
}

func badConfigurations() []badInput {
	row := func(name, text, wrong, to string) badInput {
		return badInput{name: "configuration: " + name, args: "config", files: map[string]string{"autopilot.yaml": text}, code: 2, wrong: wrong, to: to}
	}
	return []badInput{
		row("no YAML", "a: [", "is not valid YAML", "check the indentation"),
		row("unknown key", "retrys: 3", "retrys", "retries"),
		row("key twice", "retries: 1\nretries: 2", "retries", "2"),
		row("text for a number", "retries: many", "retries", "number"),
		row("huge number", "retries: 99999999999999999999", "retries", "1: "),
		row("less than none", "retries: -1", "retries", "-1"),
		row("aliases that multiply", "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]", "a is not a known key", "known"),
		row("alias to itself", "backends: &a {a: *a}", "autopilot.yaml:", "backends"),
		row("very deep", strings.Repeat("[", 20_000), "is not valid YAML", "autopilot.yaml"),
		row("key in the file", "backends: {b: {type: openai, api_key_env: sk-123}}", "must be the name of an environment variable", "api_key_env"),
		row("command outside", "validate: {commands: [{command: a, dir: ../b}]}", "not a folder inside the repository", "relative to the root"),
		row("backend that is not there", "backend: cloud", `names the backend "cloud", which does not exist`, "did you mean"),
		{name: "configuration: variable", args: "config", env: "AUTOPILOT_RETRIES=many", code: 2, wrong: "AUTOPILOT_RETRIES", to: "number"},
	}
}

func badReplays() []badInput {
	row := func(name, text, wrong, to string) badInput {
		return badInput{name: "replay: " + name, args: "docs/spec.md --no-branch --non-interactive --replay r.yaml", files: map[string]string{"r.yaml": text}, code: 2, wrong: wrong, to: to}
	}
	const one = "version: 1\ndispatches: "
	return []badInput{
		row("empty", "", "version is 0", `write "version: 1"`),
		row("no YAML", "[", "r.yaml: yaml: line 1", "docs/files.md"),
		row("another version", "version: 2", "version is 2", `write "version: 1"`),
		row("unknown key", "version: 1\nx: 1", "field x not found.", "Fix it there"),
		row("no list", one+"7", "cannot unmarshal !!int `7`.", "Fix it there"),
		row("unknown persona", one+"[{persona: king, turns: [{text: a}]}]", `persona "king" is none of`, "planner"),
		row("no turns", one+"[{persona: planner, phase: 1}]", "it has no turns", "dispatch 1"),
		row("unknown fault", one+"[{persona: planner, phase: 1, turns: [{fault: boom}]}]", `unknown fault "boom"`, "rate_limited"),
	}
}

func badFiles() []badInput {
	row := func(name, file, text, args string, code int, wrong, to string) badInput {
		return badInput{name: name, args: args, files: map[string]string{file: text}, code: code, wrong: wrong, to: to}
	}
	return []badInput{
		row("state of a newer program", badState, `{"schemaVersion": 99}`, "status docs/spec.md", 7, "99", "newer"),
		row("state that is no JSON", badState, "{", "status docs/spec.md", 7, "is damaged at byte 0", "--restart"),
		row("state that is very deep", badState, strings.Repeat("[", 100_000), "status docs/spec.md", 7, "is damaged at byte 0", "--restart"),
		row("state that is a list", badState, "[]", "status docs/spec.md", 7, "is damaged at byte 0", "--restart"),
		row("persona without an end of its front matter", ".harness/personas/planner.md", "---\nname: x\n", "docs/spec.md --non-interactive", 2, "planner.md", "fix its front matter"),
		row("persona that nobody knows", ".harness/personas/king.md", "x", "docs/spec.md --non-interactive", 2, "king.md", "planner"),
		row("file in the place of .harness", ".harness", "x", "docs/spec.md --non-interactive", 2, ".harness is not a plain file or folder", "move it away"),
		row("file in the place of the sessions", ".harness/sessions", "x", "list", 2, ".harness/sessions: not a directory", "Replace "),
		row("file in the place of the personas", ".harness/personas", "x", "docs/spec.md --non-interactive", 2, "the folder .harness/personas: not a directory", "put a folder in its place"),
		row("roadmap that is not text", "docs/roadmap.md", "\xff\x00", "roadmap sync", 2, "roadmap", "Fix it"),
	}
}

func badPlans() []badInput {
	const file = "p.md"
	row := func(name, text, wrong, to string) badInput {
		return badInput{name: name, args: "plan docs/spec.md --file " + file, files: map[string]string{file: text}, begun: true, code: 2, wrong: wrong, to: to}
	}
	task := func(n, depends string) string {
		return "### Task " + n + ": Greet\n**Depends on:** " + depends + " | **Files:** a.txt | **Validation:** `true`\n"
	}
	const head = "# Plan: Greet\n## Tasks\n"
	return []badInput{
		{name: "plan without a session", args: "plan docs/spec.md --file " + file, files: map[string]string{file: head + task("1", "none")}, code: 2, wrong: "no session", to: "Start one"},
		{name: "plan that is not there", args: "plan docs/spec.md --file none.md", files: map[string]string{file: ""}, begun: true, code: 2, wrong: "cannot read the plan", to: "begin one"},
		row("empty plan", "", "the file is empty", "write the document first"),
		row("plan without tasks", "# Plan\n", "p.md: line 1: the plan has no task", "### Task 1: Title"),
		row("plan without end", head+task("1", "none")+strings.Repeat("x\n", 600_000), "more than the 1000000 that are read", "shorten it"),
		row("plan in another encoding", "\xff\xfe#\x00", "not UTF-8", "save the file as UTF-8"),
		row("task twice", head+task("1", "none")+task("1", "none"), "task 1 is also on line 3", "its own number"),
		row("task without its colon", head+"### Task 1 Greet\n", "names a task without ': '", "### Task 1: Title"),
		row("task that needs one that is not there", head+task("1", "Task 7"), `task 1 depends on "7"`, "with tasks of this plan"),
		row("tasks that need each other", head+task("1", "Task 2")+task("2", "Task 1"), "form a cycle", "Remove one of these dependencies"),
	}
}

func badTasks() []badInput {
	row := func(name, text, args string, code int, wrong, to string) badInput {
		return badInput{name: "tasks: " + name, args: args, files: map[string]string{"harness-tasks.json": text}, code: code, wrong: wrong, to: to}
	}
	return []badInput{
		{name: "tasks: none", args: "tasks list", code: 2, wrong: "there is no harness-tasks.json", to: "autopilot tasks init"},
		{name: "tasks: import of nothing", args: "tasks import none.json", code: 2, wrong: "can't read none.json", to: "Name the tasks.json"},
		row("no JSON", "{", "tasks list", 7, "corrupted and unrecoverable", "put a good copy there"),
		row("a list", "[]", "tasks list", 7, "corrupted and unrecoverable", "put a good copy there"),
		row("very deep", strings.Repeat(`{"a":`, 100_000), "tasks list", 7, "corrupted and unrecoverable", "put a good copy there"),
		row("a key twice: the last one counts", `{"tasks":[{"id":"task-001","title":"First","title":"Last","status":"pending","status":"failed"}]}`, "tasks list", 0, "failed", "Last"),
		row("what is none, and one without an id", `{"tasks":[null,5,"x",[],{}]}`, "tasks status", 0, "tasks[4] has no id", "can never begin"),
		row("two with one id", `{"tasks":[{"id":"a"},{"id":"b"},{"id":"a"}]}`, "tasks status", 0, "tasks[2] has the id a of tasks[0]", "before each has its own"),
		row("title of nothing", `{"tasks":[]}`, `tasks add ""`, 2, "a task needs a title", "autopilot tasks add"),
	}
}
