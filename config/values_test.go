package config

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/words"

	"pgregory.net/rapid"
)

func TestValuesStandInTheOrderOfTheStruct(t *testing.T) {
	_, report := mustLoad(t, project(t, "backends:\n  z: {type: openai, model: m}\n  B: {type: manual}\n"))
	var keys []string
	for _, v := range report.Values {
		keys = append(keys, v.Key)
	}
	want := "rigor review_plans backend model backends.B.type backends.z.type backends.z.model retries parallel turns"
	if got := strings.Join(keys, " "); !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s …", got, want)
	}
}

func TestValuesAreFitForPeopleAndJSON(t *testing.T) {
	_, report := mustLoad(t, project(t, "validate: {commands: [a, {command: b, dir: c}]}\ntimeouts: {dispatch: 90m}\n"))
	text, err := json.Marshal(report.Values)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"key":"validate.commands","value":[{"command":"a"},{"command":"b","dir":"c"}],"source":"autopilot.yaml:1"}`,
		`{"key":"timeouts.dispatch","value":"1h30m","source":"autopilot.yaml:2"}`,
		`{"key":"limits.max_duration","value":"24h","source":"default"}`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing in %s", want, text)
		}
	}
}

func TestSecretUnderEnvIsHiddenAndWarnedOf(t *testing.T) {
	cfg, report := mustLoad(t, project(t, "backends: {b: {type: command, command: [a], env: {X_API_KEY: hush, PLAIN: seen}}}"))
	if cfg.Backends["b"].Env["X_API_KEY"] != "hush" {
		t.Errorf("the backend does not get the value: %v", cfg.Backends["b"].Env)
	}
	text, _ := json.Marshal(report)
	if strings.Contains(string(text), "hush") || !strings.Contains(string(text), "seen") {
		t.Errorf("report is %s", text)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "backends.b.env.X_API_KEY looks like a secret") {
		t.Errorf("warnings %q", report.Warnings)
	}
}

func TestCommandsAsTextAndJSON(t *testing.T) {
	for _, c := range []struct {
		commands   Commands
		text, json string
	}{
		{Commands{}, "", "null"},
		{Commands{None: true}, "none", `"none"`},
		{Commands{List: []Command{{"a", ""}, {"b", "c"}}}, "a, b (in c)", `[{"command":"a"},{"command":"b","dir":"c"}]`},
	} {
		data, err := json.Marshal(c.commands)
		if err != nil || c.commands.String() != c.text || string(data) != c.json {
			t.Errorf("%+v: %q, %s, %v", c.commands, c.commands.String(), data, err)
		}
	}
}

func TestFoldedNameComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9][A-Za-z0-9._-]*`).Draw(t, "name")
		if back := unfold(fold(name)); back != name {
			t.Fatalf("%q became %q", name, back)
		}
		if folded := fold(name); folded != strings.ToLower(folded) {
			t.Fatalf("%q still has capitals", folded)
		}
	})
}

func TestNamesThatDifferInCaseOnlyAreTwo(t *testing.T) {
	cfg, _ := mustLoad(t, project(t, "backends: {ab: {type: openai}, aB: {type: manual}}"))
	if cfg.Backends["ab"].Type != "openai" || cfg.Backends["aB"].Type != "manual" {
		t.Errorf("backends are %+v", cfg.Backends)
	}
}

func TestDistanceOfNames(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"ac", "abc", 1}, {"abcd", "abdc", 1}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if near := Nearest(strings.Repeat("a", 100_000), []string{"a"}); near != "" {
		t.Errorf("an endless name is near %q", near)
	}
}

func TestDurationsAreShort(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 10 * time.Second: "10s", 10 * time.Minute: "10m", 24 * time.Hour: "24h", 90*time.Minute + time.Second: "1h30m1s"} {
		if got := words.Short(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
