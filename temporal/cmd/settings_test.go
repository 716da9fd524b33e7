package cmd

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"autopilot/cmd/app"
	"autopilot/config"
	"autopilot/temporal/payload"
)

// others are values of the keys that travel, each another one than before.
func others(t *testing.T, before map[string]string) map[string]string {
	t.Helper()
	values := map[string]string{}
	for _, k := range config.Keys() {
		if why(k.Name) != "" {
			continue
		}
		all := choices(k)
		i := slices.IndexFunc(all, func(v string) bool { return v != before[k.Name] })
		if i < 0 {
			t.Fatalf("the test knows no value of %s other than %s", k.Name, before[k.Name])
		}
		values[k.Name] = all[i]
	}
	return values
}

// choices are values that a key may have.
func choices(k config.Key) []string {
	switch k.Type {
	case "duration":
		return []string{"1h0m1.5s", "2h0m1.5s"}
	case "number":
		return []string{"1.25", "2.25"}
	case "whole number":
		return []string{"2", "1"}
	case "list of strings":
		return []string{`["a b"]`, `["c", "d"]`}
	case "list of commands, or none":
		return []string{`["make <a>, b", {"command": "c", "dir": "d"}]`, "none"}
	}
	if k.Allowed == "" {
		return []string{"some text", "another text"}
	}
	if strings.HasPrefix(k.Allowed, "auto, never") {
		return []string{"33m", "never"}
	}
	return strings.Split(k.Allowed, "|")
}

// config is what this machine reads in the clone, with a session's settings on top.
func (m *mine) config(settings map[string]any) *config.Config {
	m.Helper()
	h := m.host(&bytes.Buffer{})
	cfg, _, err := app.LoadConfig(&h, m.dir, "", settings)
	if err != nil {
		m.Fatal(err)
	}
	return cfg
}

// valueOf is the value of a key in a configuration.
func valueOf(t *testing.T, c *config.Config, key string) any {
	t.Helper()
	v := reflect.ValueOf(*c)
	for name := range strings.SplitSeq(key, ".") {
		at := -1
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("key") == name {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("the configuration has no %s", key)
		}
		v = v.Field(at)
	}
	return v.Interface()
}

// noSettings are flags of submit that say how the session begins, or answer a question, and are no keys of the configuration.
var noSettings = []string{"fast", "thorough", "review-plans", "yes", "from-session", "capability", "trust", "help"}

// flagKey finds the keys of the configuration in the help of a flag.
var flagKey = regexp.MustCompile(`config keys? ([a-z_.]+(?:\.\*)?)\)`)

// TestEveryFlagReachesTheWorkers submits with all flags that set something, and looks at what the engine of a worker gets.
func TestEveryFlagReachesTheWorkers(t *testing.T) {
	m, args, want := newMine(t), []string{}, map[string]string{}
	c, _, _ := root().Find([]string{"submit"})
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(noSettings, f.Name) {
			return
		}
		found := flagKey.FindStringSubmatch(f.Usage)
		if found == nil {
			t.Errorf("--%s names no key of the configuration", f.Name)
			return
		}
		args = append(args, "--"+f.Name, given(found[1], want))
	})
	m.submits(args...)
	home(t)
	job := m.input(payload.Converter(payload.Keys{})).Job
	cfg := m.config(job.Settings)
	m.variables(want)
	same := m.config(nil)
	if limits := app.BudgetLimits(same.Limits); job.Limits == nil || *job.Limits != limits {
		t.Errorf("with %q, the workflow reserves of %+v, not of %+v", args, job.Limits, limits)
	}
	for key := range want {
		if got, w := valueOf(t, cfg, key), valueOf(t, same, key); got != w {
			t.Errorf("with %q, a worker has %s: %v, not %v", args, key, got, w)
		}
	}
	if len(want) < 10 {
		t.Errorf("the flags set only %v", want)
	}
}

// given is the argument of a flag for a key, or for a group of budgets, whose values it notes.
func given(key string, values map[string]string) string {
	var parts []string
	for _, k := range config.Keys() {
		group, in := strings.CutSuffix(key, "*")
		what, _ := strings.CutPrefix(k.Name, group)
		switch {
		case k.Name == key:
			values[key] = choices(k)[0]
			return values[key]
		case in && what != k.Name:
			values[k.Name] = choices(k)[0]
			parts = append(parts, strings.TrimSuffix(strings.TrimPrefix(what, "max_"), "_usd")+"="+values[k.Name])
		}
	}
	return strings.Join(parts, ",")
}
