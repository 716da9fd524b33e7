package tasks

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/halt"
	"autopilot/cmd/console"
)

func TestDryRunOfInstallWritesNothing(t *testing.T) {
	p := newSettingsPlace(t, "")
	var out bytes.Buffer
	o := p.options(&out)
	o.dryRun = true
	if err := runHookInstall(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(p.file())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
	if !strings.Contains(out.String(), "+ Stop: "+p.program+" hook stop\n") || !strings.Contains(out.String(), "not changed") {
		t.Errorf("it said %q", out.String())
	}
}

func TestSettingsThatCannotBeEditedAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON": `{"a":`, "a comment": "{ // mine\n}", "a list": `[]`, "hooks of another kind": `{"hooks":[]}`, "no hooks": `{"hooks":null}`,
		"an event of another kind": `{"hooks":{"Stop":{}}}`, "a group of another kind": `{"hooks":{"Stop":[7]}}`,
		"hooks of a group of another kind": `{"hooks":{"SessionStart":[{"hooks":"x"}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newSettingsPlace(t, text)
			var usage *halt.UsageError
			for _, run := range []error{
				runHookInstall(t.Context(), p.options(new(bytes.Buffer))), runHookUninstall(t.Context(), p.options(new(bytes.Buffer))),
			} {
				if !errors.As(run, &usage) || !strings.Contains(run.Error(), "fix it") {
					t.Errorf("error %v", run)
				}
			}
			if p.text(t) != text {
				t.Errorf("the file was changed to %s", p.text(t))
			}
		})
	}
}

func TestSettingsBehindALinkAreRefused(t *testing.T) {
	for _, what := range []string{"file", "folder"} {
		p := newSettingsPlace(t, "")
		target := filepath.Join(t.TempDir(), "settings.json")
		if err := os.WriteFile(target, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		link, to := filepath.Dir(p.file()), filepath.Dir(target)
		if what == "file" {
			link, to = p.file(), target
			if err := os.Mkdir(filepath.Dir(link), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
		err := runHookInstall(t.Context(), p.options(new(bytes.Buffer)))
		if err == nil || !strings.Contains(err.Error(), "is a link") || !strings.Contains(err.Error(), "by hand") {
			t.Errorf("a linked %s: error %v", what, err)
		}
		if data, _ := os.ReadFile(target); string(data) != "{}" {
			t.Errorf("a linked %s: it was changed to %s", what, data)
		}
	}
}

func TestSettingsKeepTheirMode(t *testing.T) {
	p := newSettingsPlace(t, "{}")
	p.install(t)
	info, err := os.Stat(p.file())
	if err != nil || info.Mode().Perm() != 0o600 && filepath.Separator == '/' {
		t.Errorf("mode %v (%v), want 0600", info.Mode(), err)
	}
	left, err := os.ReadDir(filepath.Dir(p.file()))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the settings lie %v (%v)", left, err)
	}
}

func TestSettingsThatChangedMeanwhileAreNotReplaced(t *testing.T) {
	p := newSettingsPlace(t, `{"a":2}`)
	err := writeSettings(p.file(), []byte(`{"a":1}`), []byte(`{"a":1,"hooks":{}}`))
	if err == nil || !strings.Contains(err.Error(), "run the same command again") || p.text(t) != `{"a":2}` {
		t.Errorf("error %v, text %s", err, p.text(t))
	}
}

func TestALinkThatLeadsNowhereIsToldWithWhereItLeads(t *testing.T) {
	p := newSettingsPlace(t, "{}")
	if err := errors.Join(os.Remove(p.file()), os.Symlink("nowhere.json", p.file())); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	if err := runHookInstall(t.Context(), p.options(new(bytes.Buffer))); err == nil || !strings.Contains(err.Error(), "is a link (to nowhere.json)") {
		t.Errorf("error %v", err)
	}
}

func TestUserSettingsLieInTheHome(t *testing.T) {
	for env, want := range map[string]string{
		"HOME=/h": filepath.FromSlash("/h/.claude/settings.json"), "USERPROFILE=/u": filepath.FromSlash("/u/.claude/settings.json"),
		"CLAUDE_CONFIG_DIR=/c": filepath.FromSlash("/c/settings.json"),
	} {
		o := &hookSettings{host: &console.Host{Environ: []string{env}}, user: true}
		if got, err := o.file(t.Context()); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", env, got, err, want)
		}
	}
	o := &hookSettings{host: &console.Host{}, user: true}
	if _, err := o.file(t.Context()); err == nil {
		t.Error("without a home there was no error")
	}
	o = &hookSettings{host: &console.Host{}, user: true, project: true}
	var usage *halt.UsageError
	if _, err := o.file(t.Context()); !errors.As(err, &usage) {
		t.Errorf("--project with --user: error %v", err)
	}
}

func TestOnlyCommandsOfInstallAreItsOwn(t *testing.T) {
	for command, want := range map[string]bool{
		"autopilot hook stop": true, " /usr/bin/autopilot hook stop ": true, `'/it'\''s/autopilot' hook stop`: true, `'C:\x\autopilot.exe' hook stop`: true,
		"/opt/autopilot-1.2/autopilot-linux hook stop": true,
		"autopilot hook stop --x":                      false, "x && autopilot hook stop": false, "autopilot hook subagentstop": false, "autopilot hook self-reflect-stop": false,
		"other hook stop": false, "hook stop": false, "autopilot x hook stop": false, "": false,
	} {
		if got := isHookCommand(command, "stop"); got != want {
			t.Errorf("%q: %t, want %t", command, got, want)
		}
	}
}
