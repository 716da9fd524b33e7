package tasks

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/shell"
	"autopilot/cmd/console"

	"github.com/google/go-cmp/cmp"
)

// settingsPlace is a folder with settings, and a program that PATH does not lead to.
type settingsPlace struct {
	dir, program string
	env          []string
}

func newSettingsPlace(t *testing.T, settings string) *settingsPlace {
	t.Helper()
	p := &settingsPlace{dir: t.TempDir()}
	p.program = p.add(t, "bin/autopilot")
	if settings != "" {
		p.write(t, settings)
	}
	return p
}

func (p *settingsPlace) file() string { return filepath.Join(p.dir, ".claude", "settings.json") }

func (p *settingsPlace) write(t *testing.T, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(p.file()), 0o755), os.WriteFile(p.file(), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// add makes a program.
func (p *settingsPlace) add(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, nil, 0o755)); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p *settingsPlace) options(out *bytes.Buffer) *hookSettings {
	return &hookSettings{
		host:       &console.Host{Out: out, Err: out, Dir: p.dir, Environ: p.env},
		executable: func() (string, error) { return p.program, nil },
	}
}

func (p *settingsPlace) install(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := runHookInstall(t.Context(), p.options(&out)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (p *settingsPlace) uninstall(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := runHookUninstall(t.Context(), p.options(&out)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What install wrote is its own whatever the program is called.
func TestAProgramOfAnotherNameKnowsItsHooks(t *testing.T) {
	p := newSettingsPlace(t, "{}\n")
	p.program = p.add(t, "my programs/ap")
	if said := p.install(t); !strings.Contains(said, "/ap' hook stop") {
		t.Fatalf("install said %q", said)
	}
	once := p.text(t)
	if said := p.install(t); !strings.Contains(said, "The hooks are there already") || p.text(t) != once {
		t.Errorf("a second install said %q", said)
	}
	if said := p.uninstall(t); !strings.Contains(said, "- Stop: ") || p.text(t) != "{}\n" {
		t.Errorf("uninstall said %q and left %s", said, p.text(t))
	}
}

func (p *settingsPlace) text(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(p.file())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// settingsOfInstall is what install makes of nothing, for a program called as PROGRAM.
const settingsOfInstall = `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "PROGRAM hook stop",
            "timeout": 10
          },
          {
            "type": "command",
            "command": "PROGRAM hook self-reflect-stop",
            "timeout": 10
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "matcher": "startup|resume|compact",
        "hooks": [
          {
            "type": "command",
            "command": "PROGRAM hook sessionstart",
            "timeout": 10
          }
        ]
      }
    ],
    "TeammateIdle": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "PROGRAM hook teammateidle",
            "timeout": 10
          }
        ]
      }
    ],
    "SubagentStop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "PROGRAM hook subagentstop",
            "timeout": 10
          }
        ]
      }
    ]
  }
}
`

func TestInstallEntersEachHookOnce(t *testing.T) {
	p := newSettingsPlace(t, "")
	p.install(t)
	want := strings.ReplaceAll(settingsOfInstall, "PROGRAM", p.program)
	if diff := cmp.Diff(want, p.text(t)); diff != "" {
		t.Errorf("install (-want +got):\n%s", diff)
	}
	if said := p.install(t); !strings.Contains(said, "already") {
		t.Errorf("the second install said %q", said)
	}
	if diff := cmp.Diff(want, p.text(t)); diff != "" {
		t.Errorf("installed twice (-want +got):\n%s", diff)
	}
}

// TestUninstallLeavesWhatWasThere installs and uninstalls: the text is as before, or as after where it held an empty list.
func TestUninstallLeavesWhatWasThere(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no settings":             {"{}\n", ""},
		"no end of the last line": {"{\n  \"a\": 1\n}", ""},
		"an empty file":           {" \n", "{}\n"},
		"hooks without members":   {"{\n  \"hooks\": {}\n}\n", "{}\n"},
		"an event without hooks":  {"{\n  \"hooks\": {\n    \"Stop\": [],\n    \"SubagentStop\": []\n  }\n}\n", "{}\n"},
		"other keys":              {"{\n  \"z\": 1.50e2,\n  \"a\": [1, 2,   3],\n  \"\\u0061b\": \"<&>\\u00e9\\/\",\n  \"big\": 123456789012345678901234567890\n}\n", ""},
		"other hooks":             {"{\n  \"hooks\": {\n    \"PreToolUse\": [ {\"matcher\": \"Bash\", \"hooks\": []} ],\n    \"Stop\": [\n      { \"hooks\": [ {\"type\": \"command\", \"command\": \"say done\"} ] }\n    ]\n  },\n  \"model\": \"x\"\n}\n", ""},
		"tabs":                    {"{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": []\n\t\t\t}\n\t\t]\n\t}\n}\n", ""},
		"line ends of Windows":    {"{\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n}\r\n", ""},
		"one line":                {`{"a":{"b":[1]},"hooks":{}}`, `{"a":{"b":[1]}}`},
		"one line with spaces":    {`{ "a": 1, "hooks": { "SessionStart": [ ] } }`, `{ "a": 1 }`},
		"lines of any indent":     {"{\"a\": 1,\n      \"hooks\": {\n \"Stop\": [{\n\"hooks\": [ ]}],\n\n\n\t\t\"SessionStart\": []\n\n}}\n\n\n", "{\"a\": 1,\n      \"hooks\": {\n \"Stop\": [{\n\"hooks\": [ ]}]\n\n}}\n\n\n"},
		"a byte order mark":       {"\ufeff{\r\n\t\"a\": 1\r\n}", ""},
		"an event named twice":    {"{\n  \"hooks\": {\n    \"Stop\": {},\n    \"Stop\": [\n    ]\n  }\n}\n", "{}\n"},
		"a key of another case":   {`{"hooks":{"Stop":[{"hooks":[{"Command":"autopilot hook stop"}]}]}}`, ""},
		"numbers out of range":    {`{"a": 1e999, "b": -0}`, ""},
		"a key named twice":       {"{\n  \"hooks\": 7,\n  \"hooks\": {}\n}\n", "{}\n"},
		"hooks that name it":      {"{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"command\": \"x && autopilot hook stop\"}, {\"command\": \"log autopilot self-reflect-stop\"}]}\n    ]\n  }\n}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newSettingsPlace(t, c.before)
			p.install(t)
			if n := strings.Count(p.text(t), "hook subagentstop"); n != 1 || !json.Valid([]byte(strings.TrimPrefix(p.text(t), "\ufeff"))) {
				t.Errorf("install made:\n%s", p.text(t))
			}
			p.uninstall(t)
			if c.after == "" {
				c.after = c.before
			}
			if diff := cmp.Diff(c.after, p.text(t)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInstallKeepsAHookThatAPersonWroteAroundIt(t *testing.T) {
	p := newSettingsPlace(t, `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"cd sub && autopilot hook stop 2>>log"}]}]}}`)
	p.install(t)
	if got := p.text(t); strings.Count(got, "hook stop") != 1 || strings.Count(got, "hook self-reflect-stop") != 1 {
		t.Errorf("install made:\n%s", got)
	}
}

func TestMovedProgramIsCalledWhereItIs(t *testing.T) {
	p := newSettingsPlace(t, "")
	p.install(t)
	p.program = p.add(t, "it's new/autopilot")
	said := p.install(t)
	want := strings.ReplaceAll(settingsOfInstall, "PROGRAM", strings.ReplaceAll(shell.QuotePath(p.program), `\`, `\\`))
	if diff := cmp.Diff(want, p.text(t)); diff != "" || !strings.Contains(said, "was: ") {
		t.Errorf("said %q (-want +got):\n%s", said, diff)
	}
	p.program = p.add(t, "other/autopilot")
	p.uninstall(t)
	if got := p.text(t); got != "{}\n" {
		t.Errorf("uninstall left %s", got)
	}
}

func TestProgramOnPathIsCalledByItsName(t *testing.T) {
	p := newSettingsPlace(t, "")
	p.env = []string{"PATH=relative" + string(filepath.ListSeparator) + t.TempDir() + string(filepath.ListSeparator) + filepath.Dir(p.program)}
	p.install(t)
	if diff := cmp.Diff(strings.ReplaceAll(settingsOfInstall, "PROGRAM", "autopilot"), p.text(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	other := p.add(t, "first/autopilot")
	p.env = []string{"PATH=" + filepath.Dir(other) + string(filepath.ListSeparator) + filepath.Dir(p.program)}
	p.install(t)
	if got := p.text(t); !strings.Contains(got, p.program) {
		t.Errorf("another autopilot comes first on PATH, and the settings say:\n%s", got)
	}
}

func TestUninstallKeepsAGroupOfThePersons(t *testing.T) {
	p := newSettingsPlace(t, `{"hooks":{"Stop":[{"matcher":"mine","hooks":[{"command":"autopilot hook stop"}]},{"hooks":[{"command":"/x/autopilot hook stop"},{"command":"other"}]}]}}`)
	p.uninstall(t)
	var got, want any
	if err := json.Unmarshal([]byte(p.text(t)), &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(`{"hooks":{"Stop":[{"matcher":"mine","hooks":[]},{"hooks":[{"command":"other"}]}]}}`), &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if said := p.uninstall(t); !strings.Contains(said, "no hooks of autopilot") {
		t.Errorf("the second uninstall said %q", said)
	}
}
