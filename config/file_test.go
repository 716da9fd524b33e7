package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refusals are files and the problems they must give, each a whole message
// without the leading "autopilot.yaml:".
var refusals = map[string]struct{ file, want string }{
	"unknown key gets the nearest one":           {"limits: {max_token: 5}", "1: limits.max_token is not a known key; did you mean limits.max_tokens?"},
	"camel case is understood":                   {"limits:\n  maxTokens: 5", "2: limits.maxTokens is not a known key; did you mean limits.max_tokens?"},
	"key of another group is found":              {"max_cost_usd: 5", "1: max_cost_usd is not a known key; did you mean limits.max_cost_usd?"},
	"dotted key is shown as a group":             {"limits.wait: auto", "1: limits.wait is not a known key; write it as a group, limits: {wait: …}"},
	"swapped letters are near":                   {"bakcend: openai", "1: bakcend is not a known key; did you mean backend?"},
	"nothing near lists what is known":           {"tasks: {zzzzzzzzzz: 1}", "1: tasks.zzzzzzzzzz is not a known key; the keys here are on_failure"},
	"key in capitals is unknown":                 {"Rigor: fast", "1: Rigor is not a known key; did you mean rigor?"},
	"API key is refused":                         {"backends:\n  b:\n    type: openai\n    api_key: sk-123", "4: backends.b.api_key is not a known key; secrets don't belong in the configuration: put the key into an environment variable, and name that variable with api_key_env"},
	"persona that does not exist":                {"personas: {planer: {model: m}}", `1: personas.planer must be one of planner, executor, verifier, reviewer, not "planer"`},
	"text for a number":                          {"retries: three", `1: retries must be a whole number, not "three"`},
	"quoted number for a number":                 {`retries: "3"`, `1: retries must be a whole number, not "3"`},
	"fraction for a whole number":                {"retries: 1.5", `1: retries must be a whole number, not "1.5"`},
	"number too large for any machine":           {"turns: 99999999999999999999999", `1: turns must be a whole number, not "99999999999999999999999"`},
	"number for text":                            {"model: 4.1", "1: model must be a string; put the value in quotes"},
	"list for text":                              {"model: [a]", "1: model must be a string, not a list or group"},
	"NUL in text":                                {`model: "a\0b"`, "1: model holds a NUL character; remove it"},
	"yes for true":                               {"review_plans: yes", `1: review_plans must be true or false, not "yes"`},
	"group for a value":                          {"retries: {a: 1}", "1: retries must be a whole number, not a list or group"},
	"value for a group":                          {"limits: 5", "1: limits must be a group of keys, indented below it"},
	"list at the top":                            {"- a", "1: must hold keys, such as retries: 3"},
	"no value":                                   {"rigor: fast\nmodel:", "2: model has no value; give it one, or remove the line"},
	"infinite cost":                              {"limits: {max_cost_usd: .inf}", `1: limits.max_cost_usd must be a number, not ".inf"`},
	"cost of nothing":                            {"limits: {max_cost_usd: 0}", "1: limits.max_cost_usd must be more than 0, not 0"},
	"duration without a unit":                    {"timeouts: {idle: 10}", `1: timeouts.idle must be a duration such as 90s, 10m or 2h, not "10"`},
	"duration of nothing":                        {"timeouts: {idle: 0s}", "1: timeouts.idle must be more than 0, not 0s"},
	"negative duration":                          {"timeouts: {validation: -10m}", "1: timeouts.validation must be 0 or more, not -10m"},
	"unknown wait":                               {"limits: {wait: later}", "1: limits.wait must be auto, never, or a duration such as 30m"},
	"tasks cannot run none at a time":            {"parallel: 0", "1: parallel must be 1 or more, not 0"},
	"on_failure has two words":                   {"tasks: {on_failure: reset}", `1: tasks.on_failure must be one of keep, rollback, not "reset"`},
	"long value is not echoed":                   {"retries: " + strings.Repeat("s", 50), "1: retries must be a whole number"},
	"name that would colour the terminal":        {`tasks: {"\e[31mzzzzzzzzzz": 1}`, `1: tasks."\x1b[31mzzzzzzzzzz" is not a known key; the keys here are on_failure`},
	"endless name is cut":                        {"tasks: {" + strings.Repeat("z", 60) + ": 1}", "1: tasks." + strings.Repeat("z", 40) + "… is not a known key; the keys here are on_failure"},
	"doubled key":                                {"retries: 1\nturns: 2\nretries: 3", "3: retries stands here a second time; the first is in line 1"},
	"key that is no name":                        {"? [a, b]\n: 1", "1: has a key that is not text; write each key as plain text"},
	"tab":                                        {"limits:\n  wait: auto\n\tmax_tokens: 5", "3: is indented with a tab; YAML wants spaces"},
	"second document":                            {"retries: 1\n---\nretries: 2", "2: holds a second document; remove the line ---, or one of the two"},
	"not UTF-8":                                  {"retries: 1\nmodel: \xff", "2: is not UTF-8 text; save it as UTF-8"},
	"UTF-16":                                     {"\xfe\xffr\x00e\x00", "1: is not UTF-8 text; save it as UTF-8"},
	"backend of unknown type":                    {"backends: {b: {type: http}}", `1: backends.b.type must be one of openai, replay, command, acp, manual, not "http"`},
	"backend without type":                       {"backends:\n  b:\n    model: m", "3: backends.b has no type; add type: with one of openai, replay, command, acp, manual, or preset: with the name of a known server or program"},
	"server without a command":                   {"mcp: {servers: {a: {tier: read}}}", "1: mcp.servers.a does not say what to run; add command: [PROGRAM, ARGUMENT…]"},
	"server of an unknown tier":                  {"mcp: {servers: {a: {command: [b], tier: all}}}", `1: mcp.servers.a.tier must be one of read, write, destructive, not "all"`},
	"server whose name no tool can have":         {"mcp: {servers: {a.b: {command: [b]}}}", "1: mcp.servers.a.b must be a name of up to 32 letters, digits, '_' and '-'"},
	"value where a variable belongs":             {"mcp: {servers: {a: {command: [b], env: [A=1]}}}", `1: mcp.servers.a.env must be the name of an environment variable, which "A=1" is not`},
	"tools of an unknown kind":                   {"backends: {b: {type: openai, tools: xml}}", `1: backends.b.tools must be one of api, text, not "xml"`},
	"tools of a program":                         {"backends: {b: {type: command, command: [a], tools: text}}", "1: backends.b.tools means nothing to a backend of type command; it belongs to type openai"},
	"price below nothing":                        {"prices: {m: {input: -1}}", "1: prices.m.input must be 0 or more, not -1"},
	"price of a router's model":                  {"prices: {a/b: {input: 1}}", `1: prices.a/b must be the name of a model, without slashes`},
	"unknown preset":                             {"backends: {b: {preset: nonesuch}}", `1: backends.b.preset is "nonesuch", which is not known; use one of anthropic, azure, claude, codex, deepseek, gemini, groq, lmstudio, mistral, ollama, openai, opencode, openrouter, qwen, vllm, zai, zhipu`},
	"mistyped preset":                            {"backends: {b: {type: command, preset: claud}}", `1: backends.b.preset is "claud", which is not known; did you mean claude? There are claude, codex, gemini, opencode, qwen`},
	"preset of another type":                     {"backends: {b: {type: command, preset: groq}}", `1: backends.b.preset is "groq", which a backend of type command does not know; it belongs to type openai`},
	"preset that is a server and a program":      {"backends: {b: {preset: gemini}}", `1: backends.b.preset is "gemini", which is the name of a server and of a program; add type: openai for the server, type: command for the program`},
	"unknown program that speaks a protocol":     {"backends: {b: {type: acp, preset: groq}}", `1: backends.b.preset is "groq", which a backend of type acp does not know; it belongs to type openai`},
	"preset of a person":                         {"backends: {b: {type: manual, preset: groq}}", `1: backends.b.preset means nothing to a backend of type manual; it belongs to type openai or command or acp`},
	"key that the preset's type does not use":    {"backends: {b: {preset: groq, command: [x]}}", "1: backends.b.command means nothing to a backend of type openai; it belongs to type command or acp"},
	"empty backend":                              {"backends:\n  b:", "2: backends.b is empty; describe it below its name, or remove it"},
	"backend called auto":                        {"backends: {auto: {type: openai}}", "1: backends.auto is a name with a meaning of its own; give the backend another one"},
	"backend with a blank in its name":           {"backends: {a b: {type: openai}}", "1: backends.a b must be a name of letters, digits, '.', '_' and '-'"},
	"command without a program":                  {"backends: {b: {type: command}}", "1: backends.b does not say what to run; add command or preset"},
	"empty program":                              {"backends: {b: {type: command, command: []}}", "1: backends.b.command must be a program and its arguments"},
	"program as one text":                        {"backends: {b: {type: command, command: ./a.sh}}", "1: backends.b.command must be a list of strings, such as [a, b]"},
	"program with a number among its arguments":  {"backends: {b: {type: command, command: [a, 1]}}", "1: backends.b.command must be a string; put the value in quotes"},
	"sandbox of a program":                       {"backends: {b: {type: command, command: [a], sandbox: auto}}", "1: backends.b.sandbox means nothing to a backend of type command; it belongs to type openai or replay"},
	"sandbox of another kind":                    {"backends: {b: {type: openai, sandbox: on}}", `1: backends.b.sandbox must be one of off, auto, required, not "on"`},
	"variables for a server":                     {"backends: {b: {type: openai, env: {A: b}}}", "1: backends.b.env.A means nothing to a backend of type openai; it belongs to type command or acp"},
	"window of a program":                        {"backends: {b: {type: command, command: [a], window: 2000}}", "1: backends.b.window means nothing to a backend of type command; it belongs to type openai or replay"},
	"address of recorded turns":                  {"backends: {b: {type: replay, file: a, base_url: 'http://h'}}", "1: backends.b.base_url means nothing to a backend of type replay; it belongs to type openai or command or acp"},
	"replay file for a server":                   {"backends: {b: {type: openai, file: a}}", "1: backends.b.file means nothing to a backend of type openai; it belongs to type replay"},
	"address that is no web address":             {"backends: {b: {type: openai, base_url: localhost}}", "1: backends.b.base_url must be an http or https address without user and password"},
	"address with a password":                    {"backends: {b: {type: openai, base_url: 'http://u:p@h/v1'}}", "1: backends.b.base_url must be an http or https address without user and password"},
	"key instead of its variable":                {"backends: {b: {type: openai, api_key_env: sk-123}}", "1: backends.b.api_key_env must be the name of an environment variable"},
	"variable with a bad name":                   {"backends: {b: {type: manual, env: {a-b: c}}}", "1: backends.b.env.a-b must be the name of an environment variable"},
	"backend that does not exist":                {"backend: cloud", `1: backend names the backend "cloud", which does not exist; did you mean claude?`},
	"backend that almost exists":                 {"backends: {Local: {type: openai}}\nbackend: local", `2: backend names the backend "local", which does not exist; did you mean Local?`},
	"fallback that does not exist":               {"personas: {verifier: {fallback: [replay, nowhere]}}", `1: personas.verifier.fallback names the backend "nowhere", which does not exist; describe it under backends, or use one of ` + knownBackends},
	"backend of a persona that does not exist":   {"personas: {verifier: {backend: nowhere}}", `1: personas.verifier.backend names the backend "nowhere", which does not exist; describe it under backends, or use one of ` + knownBackends},
	"no commands":                                {"validate: {commands: []}", "1: validate.commands is empty; write none to go on unverified, or remove the key to have the commands found"},
	"none among commands":                        {"validate:\n  commands:\n    - go vet\n    - none", "4: validate.commands holds none beside others; none stands alone, instead of the list"},
	"commands as a group":                        {"validate: {commands: {command: a}}", "1: validate.commands must be a list of commands, or the word none"},
	"command in a folder outside":                {"validate: {commands: [{command: a, dir: ../b}]}", `1: validate.commands has the dir "../b", which is not a folder inside the repository; write it relative to the root`},
	"command with an unknown field":              {"validate: {commands: [{cmd: a}]}", `1: validate.commands holds "cmd", which is none of command and dir`},
	"command without a command":                  {"validate: {commands: [{dir: a}]}", "1: validate.commands holds an entry without a command"},
	"command twice in an entry":                  {"validate: {commands: [{command: a, command: b}]}", "1: validate.commands names command twice in one entry"},
	"list in a list of commands":                 {"validate: {commands: [[a]]}", "1: validate.commands must hold texts, or {command: …, dir: …}"},
	"command that is a number":                   {"validate: {commands: [1]}", "1: validate.commands must be a string; put the value in quotes"},
	"copy from outside":                          {"worktree: {copy: [/etc]}", `1: worktree.copy must be a path inside the repository, which "/etc" is not`},
	"webhook without an address":                 {"notify: {webhooks: [{format: slack}]}", "1: notify.webhooks holds an entry without one address; give each either url or url_env"},
	"webhook with two addresses":                 {"notify: {webhooks: [{url: 'https://h', url_env: A}]}", "1: notify.webhooks holds an entry without one address; give each either url or url_env"},
	"webhook that is a text":                     {"notify: {webhooks: ['https://h']}", "1: notify.webhooks must hold entries such as {url_env: SLACK_URL, format: slack}"},
	"webhook that is no list":                    {"notify: {webhooks: {url: 'https://h'}}", "1: notify.webhooks must be a list such as [{url_env: SLACK_URL, format: slack}]"},
	"webhook with a secret in the file":          {"notify: {webhooks: [{url: 'https://h', secret: abc}]}", `1: notify.webhooks holds "secret", which is none of url, url_env, secret_env and format`},
	"webhook of another form":                    {"notify: {webhooks: [{url: 'https://h', format: teams}]}", `1: notify.webhooks has a format that must be one of slack, ntfy, not "teams"`},
	"signed message to Slack":                    {"notify: {webhooks: [{url: 'https://h', format: slack, secret_env: A}]}", "1: notify.webhooks holds a secret_env beside format slack; only notices in autopilot's own format are signed"},
	"event that does not exist":                  {"notify: {on: [done, paused]}", `1: notify.on must be one of question, done, stopped, limit, budget, not "paused"`},
	"alias is followed to what it stands for":    {"model: &m [a]\nbackend: *m", "1: model must be a string, not a list or group"},
	"merge key is no key":                        {"limits: {<<: {wait: auto}}", "1: limits.<< is not a known key; the keys here are max_dispatches, max_duration, max_cost_usd, max_tokens, phase, task, wait"},
	"key that is indented too little":            {"limits:\n    wait: auto\n  max_tokens: 5", "3: is not valid YAML: did not find expected key; check the indentation, the colons and the quotes there"},
	"colon in a value of a later line":           {"retries: 1\nmodel: a: b", "2: is not valid YAML: mapping values are not allowed in this context; check the indentation, the colons and the quotes there"},
	"unknown anchor":                             {"retries: 1\nmodel: *m", " is not valid YAML: unknown anchor 'm' referenced; check the indentation, the colons and the quotes there"},
	"colon in a value without quotes is no YAML": {"model: a: b", "1: is not valid YAML: mapping values are not allowed in this context; check the indentation, the colons and the quotes there"},
}

func TestBadFileIsRefusedWithPlaceAndRemedy(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			cfg, _, err := Load(project(t, c.file))
			if err == nil || cfg != nil {
				t.Fatalf("accepted: %+v", cfg)
			}
			got, _, _ := strings.Cut(err.Error(), "\n")
			if got != "autopilot.yaml:"+c.want {
				t.Errorf("got  %s\nwant autopilot.yaml:%s", got, c.want)
			}
		})
	}
}

func TestFileThatSetsNothingIsFine(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# only a remark\n", "---\n", "null\n", "\xef\xbb\xbf", "limits:\n  # max_tokens: 5\n"} {
		cfg, _, err := Load(project(t, text))
		if err != nil || cfg.Retries != 3 {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestByteOrderMarkAndWindowsLineEndsAreTakenOff(t *testing.T) {
	cfg, report := mustLoad(t, project(t, "\xef\xbb\xbfmodel: m\r\nretries: 2\r\n"))
	if cfg.Model != "m" || cfg.Retries != 2 {
		t.Errorf("model %q, retries %d", cfg.Model, cfg.Retries)
	}
	if source := report.Values[0].Source; source != "default" {
		t.Errorf("rigor comes from %q", source)
	}
}

func TestTabInsideABlockIsText(t *testing.T) {
	cfg, _ := mustLoad(t, project(t, "worktree:\n  setup: |\n    make\n    \tdeps\n"))
	if cfg.Worktree.Setup != "make\n\tdeps\n" {
		t.Errorf("setup is %q", cfg.Worktree.Setup)
	}
}

func TestAliasesMayRepeatAGroup(t *testing.T) {
	cfg, _ := mustLoad(t, project(t, "backends:\n  a: &a {type: openai, model: m}\n  b: *a\n"))
	if cfg.Backends["b"].Model != "m" {
		t.Errorf("b is %+v", cfg.Backends["b"])
	}
}

func TestFileFullOfMistakesIsNotReadToItsEnd(t *testing.T) {
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "wrong%d: 1\n", i)
	}
	_, _, err := Load(project(t, text.String()))
	if err == nil || strings.Count(err.Error(), "\n") != enough-1 {
		t.Errorf("want %d problems, got %.200v", enough, err)
	}
}

func TestLongNameStaysWhole(t *testing.T) {
	name := strings.Repeat("long", 20)
	cfg, _ := mustLoad(t, project(t, "backend: "+name+"\nbackends: {"+name+": {type: openai}}"))
	if _, there := cfg.Backends[name]; !there {
		t.Errorf("backends are %v", cfg.Backends)
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, ProjectFile), 0o700); err != nil {
		t.Fatal(err)
	}
	huge := project(t, "# "+strings.Repeat("x", maxFile))
	notFolder := Options{UserDir: write(t, t.TempDir(), "plain", "")}
	for want, opts := range map[string]Options{
		"autopilot.yaml: is not a regular file": {Root: folder},
		"autopilot.yaml: is larger than 1 MB":   huge,
	} {
		if _, _, err := Load(opts); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, _, err := Load(notFolder); err == nil {
		t.Skip("the platform takes a path below a file for missing")
	} else if !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("got %v", err)
	}
}

func FuzzFile(f *testing.F) {
	for _, c := range refusals {
		f.Add([]byte(c.file))
	}
	f.Add([]byte("backends: &a {a: *a}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l := parseFile(ProjectFile, data)
		if len(l.problems) > 0 {
			return
		}
		cfg, won, err := merge([]layer{defaults(), l})
		if err != nil {
			t.Fatalf("what was read does not fit the struct: %v", err)
		}
		validate(cfg, won)
		if len(list(won)) != len(won) {
			t.Fatal("a key is missing in the list of values")
		}
	})
}
