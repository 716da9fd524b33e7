package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"autopilot/config"
	"autopilot/temporal/payload"
	"autopilot/temporal/worker"
)

// staying are the parts of the configuration that no session takes along, and why.
var staying = map[string]string{
	"rigor": "the session's first state has it", "review_plans": "the session's first state has it",
	"backend": "each worker has its own", "model": "each worker has its own", "backends": "each worker has its own", "personas": "they name backends",
	"prices": "they are those of a worker's models", "mcp": "the servers are programs of a worker",
	"notify": "nobody sits at a worker", "ui": "nobody sits at a worker",
}

// why says why a key belongs to no session; "": it travels.
func why(key string) string {
	part, _, _ := strings.Cut(key, ".")
	return staying[part]
}

// TestEverySettingReachesTheWorkers sets all keys of the configuration in each way that there is, and looks at what the engine of a worker
// gets whose own configuration says otherwise.
func TestEverySettingReachesTheWorkers(t *testing.T) {
	for name, set := range map[string]func(m *mine, values map[string]string){
		"the user's file":       func(m *mine, values map[string]string) { put(m.T, userFile(), asFile(values)) },
		"the repository's file": (*mine).commits,
		"variables":             (*mine).variables,
		"nothing but defaults":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			m, theirs := newMine(t), map[string]string{}
			for _, k := range config.Keys() {
				theirs[k.Name] = k.Default
			}
			if set != nil {
				theirs = others(t, theirs)
				set(m, theirs)
			}
			want := m.config(nil)
			m.submits("--trust")
			settings := m.input(payload.Converter(payload.Keys{})).Job.Settings
			for key := range settings {
				if why := why(key); why != "" {
					t.Errorf("%s travels, though %s", key, why)
				}
			}
			for _, sets := range []func(map[string]string){m.variables, func(values map[string]string) { put(t, userFile(), asFile(values)) }} {
				home(t)
				sets(others(t, theirs))
				m.gets(settings, want)
			}
		})
	}
}

// gets checks what a worker gets of a session's settings.
func (m *mine) gets(settings map[string]any, want *config.Config) {
	m.Helper()
	h := m.host(&bytes.Buffer{})
	got, err := worker.Settings(&h, m.dir, settings)
	if err != nil {
		m.Fatal(err)
	}
	own := m.config(nil)
	_, repositorys := want.FromRepository("retries")
	for _, k := range config.Keys() {
		if why(k.Name) != "" {
			continue
		}
		g, w, o := valueOf(m.T, got, k.Name), valueOf(m.T, want, k.Name), valueOf(m.T, own, k.Name)
		if !reflect.DeepEqual(g, w) {
			m.Errorf("a worker has %s: %v, not %v", k.Name, g, w)
		}
		if reflect.DeepEqual(o, w) && !repositorys {
			m.Errorf("the worker's own %s is the same: the test shows nothing", k.Name)
		}
	}
}

// TestAWorkersBackendsAreItsOwn: those of its own file, and of its variables.
func TestAWorkersBackendsAreItsOwn(t *testing.T) {
	m := newMine(t)
	put(t, userFile(), "backends: {x: {type: command, command: [mine]}}\nbackend: x\n")
	t.Setenv("AUTOPILOT_MODEL", "m")
	h := m.host(&bytes.Buffer{})
	if c, err := worker.Settings(&h, m.dir, nil); err != nil || c.Backend != "x" || c.Backends["x"].Command[0] != "mine" || c.Model != "m" {
		t.Errorf("a worker has %+v, %v", c, err)
	}
}

// commits sets keys by the repository's file, which workers have to find on the remote.
func (m *mine) commits(values map[string]string) {
	m.Helper()
	m.write(config.ProjectFile, asFile(values))
	m.git("add --all")
	m.git("commit --quiet --message configure")
	m.git("push --quiet origin main")
}

// variables sets keys by variables.
func (m *mine) variables(values map[string]string) {
	m.Helper()
	for _, k := range config.Keys() {
		if why(k.Name) == "" {
			m.Setenv(k.Env, values[k.Name])
		}
	}
}

func userFile() string {
	return filepath.Join(os.Getenv("HOME"), ".config", "autopilot", config.UserFile)
}

// asFile is a configuration file that sets keys. JSON is YAML, too.
func asFile(values map[string]string) string {
	file := map[string]any{}
	for _, k := range config.Keys() {
		if why(k.Name) != "" {
			continue
		}
		group, path := file, strings.Split(k.Name, ".")
		for _, name := range path[:len(path)-1] {
			if group[name] == nil {
				group[name] = map[string]any{}
			}
			group = group[name].(map[string]any)
		}
		group[path[len(path)-1]] = any(values[k.Name])
		if strings.HasSuffix(k.Type, "number") || strings.HasPrefix(values[k.Name], "[") {
			group[path[len(path)-1]] = json.RawMessage(values[k.Name])
		}
	}
	text, _ := json.Marshal(file) // never fails: texts and numbers
	return string(text)
}
