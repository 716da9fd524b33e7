package tasks

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawnSettings is a settings file of any layout that Claude Code reads: each gap between two marks is any space.
type drawnSettings struct {
	t      *rapid.T
	spaces []string
}

func settingsOfAnyLayout(t *rapid.T) string {
	some := []string{"", " ", "  ", "   ", "\n", "\n  ", " \n  ", "  \n  ", "\n    ", "\n\t", "\r\n", "\r\n  ", "\t", "\r", "\n\n", " \n", "  \n"}
	d := drawnSettings{t: t, spaces: rapid.SliceOfN(rapid.SampledFrom(some), 1, 4).Draw(t, "spaces")}
	return rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "start") + d.space() + d.object(d.root) + d.space()
}

func (d drawnSettings) space() string { return rapid.SampledFrom(d.spaces).Draw(d.t, "space") }

// parts are up to three between brackets.
func (d drawnSettings) parts(open, end string, part func(i int) string) string {
	var parts []string
	for i := range rapid.IntRange(0, 3).Draw(d.t, "parts") {
		parts = append(parts, d.space()+part(i)+d.space())
	}
	if parts == nil {
		return open + d.space() + end
	}
	return open + strings.Join(parts, ",") + end
}

func (d drawnSettings) object(member func() (key, value string)) string {
	return d.parts("{", "}", func(int) string {
		key, value := member()
		return strconv.Quote(key) + d.space() + ":" + d.space() + value
	})
}

func (d drawnSettings) list(item func() string) string {
	return d.parts("[", "]", func(int) string { return item() })
}

func (d drawnSettings) root() (key, value string) {
	switch key = rapid.SampledFrom([]string{"hooks", "hooks", "model", "a,b"}).Draw(d.t, "key"); key {
	case "hooks":
		return key, d.object(d.event)
	default:
		return key, rapid.SampledFrom([]string{"1.50", `"},{\"hooks\": ["`, `{"hooks": {"Stop": [ ]}}`, "[ ]", "null", "{ }"}).Draw(d.t, "value")
	}
}

func (d drawnSettings) event() (key, value string) {
	names := []string{"Stop", "Stop", "SessionStart", "TeammateIdle", "SubagentStop", "PreToolUse"}
	return rapid.SampledFrom(names).Draw(d.t, "event"), d.list(func() string { return d.object(d.group) })
}

func (d drawnSettings) group() (key, value string) {
	if rapid.Bool().Draw(d.t, "matcher") {
		return "matcher", rapid.SampledFrom([]string{`""`, `"*"`, `"startup|resume|compact"`, "7"}).Draw(d.t, "value")
	}
	return "hooks", d.list(func() string {
		return rapid.SampledFrom([]string{
			`{"type": "command", "command": "say done"}`, `{"command":"cd x && autopilot hook stop"}`, "7", "{ }", `{"command": [1, 2]}`,
			`{"command":"autopilot hook stop --mine"}`, `{"command":"log autopilot sessionstart"}`,
		}).Draw(d.t, "hook")
	})
}

func installed(t *rapid.T, text string) (string, []string) {
	t.Helper()
	s, err := parseSettings([]byte(text))
	if err != nil {
		t.Fatalf("%v:\n%q", err, text)
	}
	done := s.install("'/a \"<&>\"/autopilot'")
	return string(s.root.Bytes()), done
}

func uninstalled(t *rapid.T, text string) string {
	t.Helper()
	s, err := parseSettings([]byte(text))
	if err != nil {
		t.Fatalf("%v:\n%q", err, text)
	}
	s.uninstall("")
	return string(s.root.Bytes())
}

// TestUninstallGivesBackAnyText: what holds no empty list of hooks comes back to the byte, and what does without it.
func TestUninstallGivesBackAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was := settingsOfAnyLayout(t)
		is, _ := installed(t, was)
		if again, done := installed(t, is); again != is || len(done) > 0 {
			t.Fatalf("installed twice, it did %q to\n%q", done, is)
		}
		back := uninstalled(t, is)
		if diff := cmp.Diff(withoutEmpty(settingsValue(t, was)), withoutEmpty(settingsValue(t, back))); diff != "" {
			t.Fatalf("from %q\nback %q\nover %q\n%s", was, back, is, diff)
		}
		is, _ = installed(t, back)
		if again := uninstalled(t, is); again != back {
			t.Fatalf("from %q\nback %q\nover %q", back, again, is)
		}
	})
}

// withoutEmpty takes out the events that uninstall leaves no list for.
func withoutEmpty(settings map[string]any) map[string]any {
	hooks := hooksOf(settings)
	for _, e := range hookEvents {
		if groups, _ := hooks[e.name].([]any); len(groups) == 0 {
			delete(hooks, e.name)
		}
	}
	if len(hooks) == 0 {
		delete(settings, "hooks")
	}
	return settings
}

// TestInstallAddsOnlyItsHooksToAnyText compares what a reader of JSON finds before and after.
func TestInstallAddsOnlyItsHooksToAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was := settingsOfAnyLayout(t)
		is, _ := installed(t, was)
		before, after := settingsValue(t, was), settingsValue(t, is)
		old, now := hooksOf(before), hooksOf(after)
		for _, h := range hookEvents {
			groups, _ := now[h.name].([]any)
			for _, name := range h.hooks {
				if !strings.Contains(fmt.Sprint(groups), "hook "+name) && !strings.Contains(fmt.Sprint(groups), "autopilot "+name) {
					t.Fatalf("%s has no %s: %v", h.name, name, groups)
				}
			}
			if own := len(groups) - 1; own >= 0 && strings.Contains(fmt.Sprint(groups[own]), "<&>") {
				groups = groups[:own]
			}
			if had, _ := old[h.name].([]any); len(had)+len(groups) > 0 {
				if diff := cmp.Diff(had, groups); diff != "" {
					t.Fatalf("%s (-was +is):\n%s", h.name, diff)
				}
			}
			delete(old, h.name)
			delete(now, h.name)
		}
		delete(before, "hooks")
		delete(after, "hooks")
		if diff := cmp.Diff(before, after) + cmp.Diff(old, now, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the rest (-was +is):\n%s", diff)
		}
	})
}

func hooksOf(settings map[string]any) map[string]any {
	hooks, _ := settings["hooks"].(map[string]any)
	return hooks
}

func settingsValue(t *rapid.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &v); err != nil {
		t.Fatalf("%v:\n%q", err, text)
	}
	return v
}
