package command

import (
	"maps"
	"slices"
	"strings"

	"autopilot/personas"
)

// Preset is an agent program that is known: how it is started, and how it tells
// what it does. Its prompt goes to standard input.
type Preset struct {
	Name    string
	Program string // looked up in PATH
	// Confined says whether the program keeps what its tools do within the working
	// tree by itself. Another one works without asking, with the user's rights.
	Confined bool
	Version  string // that its arguments and events were tried with
	// Agents says whether the program has agents of its own, which can be named.
	Agents bool
	// NotAsRoot is the variable without which the program refuses to work as root; "": it does not.
	NotAsRoot string

	arguments   func(call) []string
	environment func(call) map[string]string
	credentials []string          // variables that hold the program's credentials
	settings    func(call) string // JSON of a file that the program reads; nil: none
	settingsAt  string            // where it lies, below the folder of the dispatch
	dialect     dialect
}

// tier is how much a program may do.
type tier int

const (
	mayRead tier = iota
	mayPlan      // besides: write files
	mayWork      // besides: run commands
)

func tierOf(p personas.Persona) tier {
	switch {
	case p.ReadOnly():
		return mayRead
	case p.Allows(personas.MayWrite):
		return mayWork
	}
	return mayPlan
}

// call is what the arguments and the environment of one run depend on.
type call struct {
	persona personas.Persona
	tier    tier
	model   string   // "": the program's own
	agent   string   // the program's own agent; "": it decides
	session string   // the conversation that goes on; "": a new one
	more    []string // further arguments of the user's
	baseURL string   // "": the program's own
	keyEnv  string   // the variable that holds the key; "": the program's own log-in
	key     string   // its value
	file    string   // the file that the preset's settings are in
	servers []personas.MCPServer
}

// presets are the programs that are known, in the order in which they are looked for.
var presets = []Preset{claude, codex, opencode, gemini, qwen}

// PresetOf finds a preset by its name.
func PresetOf(name string) (Preset, bool) {
	at := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name })
	if at < 0 {
		return Preset{}, false
	}
	return presets[at], true
}

// Presets names the presets, in the order in which they are looked for.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return names
}

// nested are variables by which the programs know what runs inside them. A
// program that autopilot starts is nobody's child.
var nested = []string{
	"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID",
	"CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "OPENCODE", "OPENCODE_PID", "GEMINI_CLI", "QWEN_CODE",
}

// dropped says whether the program does not get a variable of the user's: one
// of a session it would take for its own, and where a key is configured, any
// other credentials.
func (p Preset) dropped(name string, c call) bool {
	return slices.Contains(nested, name) || c.keyEnv != "" && name != c.keyEnv && slices.Contains(p.credentials, name)
}

// Flag gives a flag with its value, where there is one.
func Flag(name, value string) []string {
	if value == "" {
		return nil
	}
	return []string{name, value}
}

// with sets what has a value.
func with(env map[string]string, more map[string]string) map[string]string {
	env = maps.Clone(env)
	for name, value := range more {
		if value != "" {
			env[name] = value
		}
	}
	return env
}

// call gathers what the runs of a preset for a persona depend on.
func (b *Backend) call(p personas.Persona) call {
	c := call{persona: p, tier: tierOf(p), model: b.o.Model, agent: b.o.Agent, baseURL: b.o.BaseURL, keyEnv: b.o.KeyEnv, key: valueOf(b.o.Environ, b.o.KeyEnv)}
	c.servers = personas.MCPFor(b.o.MCP, p)
	if len(b.o.Argv) > 1 {
		c.more = b.o.Argv[1:]
	}
	return c
}

func valueOf(environ []string, name string) string {
	for _, kv := range slices.Backward(environ) {
		if n, value, ok := strings.Cut(kv, "="); ok && n == name && name != "" {
			return value
		}
	}
	return ""
}

// Preset is the agent program that is known; nil: none is.
func (b *Backend) Preset() *Preset { return b.o.Preset }

// program is what is started: a preset's own program, or the one that the user names.
func (b *Backend) program() string {
	if len(b.o.Argv) > 0 {
		return b.o.Argv[0]
	}
	return b.o.Preset.Program
}
