package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/journal"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/acp"
	"autopilot/personas/agent"
	"autopilot/personas/command"
	"autopilot/personas/manual"
	"autopilot/personas/replay"
)

// Backends finds and makes the backend of a persona, each once.
type Backends struct {
	Host   *console.Host
	Root   string
	Cfg    *config.Config
	Name   string // --backend
	Model  string // --model
	Replay string // --replay
	Record string // --record

	Report journal.Reporter // told what a person should know of them, such as that a server has to be asked again; may be nil

	made       map[string]personas.Backend
	played     *replay.File
	recorder   *replay.Recorder
	unconfined bool                 // it was said that commands run without a sandbox
	limited    map[string]time.Time // until when; zero: nobody knows
}

// For picks the backend: --replay and --backend win over the configuration's persona, the persona's own front matter,
// and the configuration's backend.
func (b *Backends) For(p personas.Persona) (personas.Backend, string, error) {
	name, described, err := b.Chosen(p)
	if err != nil {
		return nil, "", err
	}
	made, err := b.Make(name, described)
	return made, b.label(p, name), err
}

// Chosen is the backend of a persona, and what is known of it, its model included.
func (b *Backends) Chosen(p personas.Persona) (string, config.Backend, error) {
	if b.Replay != "" {
		return "replay", config.Backend{Type: "replay", File: b.Host.Path(b.Replay)}, nil
	}
	own := b.Cfg.Personas[string(p.Name)]
	name, err := b.usable(p)
	if err != nil {
		return "", config.Backend{}, err
	}
	name, _, _ = strings.Cut(name, withModel)
	described, err := b.Described(name)
	if err != nil {
		return name, described, err
	}
	if slices.Contains(own.Fallback, name) { // the persona's model and agent are those of its first choice
		own.Model, p.Model, own.Agent, p.Agent = "", "", "", ""
	}
	if b.Name == "" || described.Type == "command" {
		described.Agent = cmp.Or(own.Agent, p.Agent, described.Agent)
	}
	described.Model = cmp.Or(own.Model, b.Model, p.Model, described.Model, b.Cfg.Model)
	if described.Model == "" && (described.Preset == "" && described.Type != "acp" || described.Preset == "openai") {
		described.Model = b.Host.Getenv("OPENAI_MODEL")
	}
	return name, described, nil
}

// auto takes the first that is there: what is configured, what the environment has a key or an address for, a program.
func (b *Backends) auto() (string, error) {
	if names := slices.Sorted(maps.Keys(b.Cfg.Backends)); len(names) > 0 {
		return names[0], nil
	}
	if b.Host.Getenv("OPENAI_API_KEY") != "" || b.Host.Getenv("OPENAI_BASE_URL") != "" {
		return "openai", nil
	}
	server, usable := b.autoServer()
	if usable {
		return server, nil
	}
	program, err := b.autoProgram()
	if err != nil && server != "" {
		return server, nil
	}
	return program, err
}

// Make makes a backend, or finds the one made before.
func (b *Backends) Make(name string, described config.Backend) (personas.Backend, error) {
	key := fmt.Sprint(name, " ", described.Model, " ", described.Agent)
	if made, ok := b.made[key]; ok {
		return made, nil
	}
	made, err := b.new(name, described)
	if err != nil {
		return nil, err
	}
	if b.made == nil {
		b.made = map[string]personas.Backend{}
	}
	b.made[key] = made
	return made, nil
}

func (b *Backends) new(name string, described config.Backend) (personas.Backend, error) {
	if described.Agent != "" && described.Type != "command" && described.Type != "acp" {
		return nil, noAgent(name, "a backend of type "+described.Type, described)
	}
	switch described.Type {
	case "openai":
		return b.served(name, described)
	case "replay":
		return b.replayed(name, described)
	case "command", "acp":
		if b.Record != "" {
			return nil, console.UsageError("backend %s is a program: --record writes down what the built-in agent's model says, and cannot see what a program's does\nLeave --record out, or name a backend of type openai", name)
		}
		return b.program(name, described)
	case "manual":
		return manual.New(), nil
	}
	return nil, console.UsageError("backend %s has type %s, which this version cannot run; it knows openai, replay, command, acp and manual", name, described.Type)
}

// builtInAgent is what the built-in agent is given, whoever plays its model.
func (b *Backends) builtInAgent(name string, described config.Backend) (agent.Options, error) {
	confined, err := b.confinement(name, described)
	return agent.Options{
		Window: described.Window, Environ: AgentsEnviron(b.Host, b.Cfg), PassEnv: described.PassEnv, Now: b.Host.Now, MaxTurns: b.Cfg.Turns,
		MCP: b.MCPServers(), Secrets: b.mcpSecrets(), Confined: confined,
	}, err
}

// served makes the built-in agent with a model behind a server.
func (b *Backends) served(name string, described config.Backend) (personas.Backend, error) {
	options, err := b.builtInAgent(name, described)
	if err != nil {
		return nil, err
	}
	server, secret, err := b.openai(name, described)
	if err != nil {
		return nil, err
	}
	var model agent.Model = server
	options.Secrets, options.Model, options.AskWindow = append(secret, options.Secrets...), described.Model, server.Window
	options.Warn = func(text string) { b.tell("warning", "backend %s: %s", name, text) }
	if described.Tools == "text" {
		model = agent.NewTextTools(model, personas.NewMask(b.Host.Environ, options.Secrets...))
	}
	if options.ModelFor, err = b.recording(model, options.Secrets); err != nil {
		return nil, err
	}
	return agent.New(model, options), nil
}

// rooted is a command line whose program, where its name has a folder, is the repository's, also where the session works
// in a tree of its own.
func (b *Backends) rooted(argv []string) []string {
	if len(argv) == 0 || !strings.ContainsRune(filepath.ToSlash(argv[0]), '/') || filepath.IsAbs(argv[0]) {
		return argv
	}
	return append([]string{filepath.Join(b.Root, argv[0])}, argv[1:]...)
}

// program makes a backend of type command or acp.
func (b *Backends) program(name string, described config.Backend) (personas.Backend, error) {
	argv := b.rooted(described.Command)
	preset, err := b.preset(name, described)
	if err != nil {
		return nil, err
	}
	if len(argv) == 0 && preset == nil {
		return nil, console.UsageError("backend %s names no command: add command: [PROGRAM, ARGUMENT…]", name)
	}
	if command.WantsModel(argv) && described.Model == "" {
		return nil, unusable("backend %s has no model: name one with --model", name)
	}
	o := command.Options{
		Argv: argv, Preset: preset, Model: described.Model, Agent: described.Agent, BaseURL: described.BaseURL, KeyEnv: described.APIKeyEnv,
		Env: described.Env, PassEnv: described.PassEnv, Environ: AgentsEnviron(b.Host, b.Cfg), Now: b.Host.Now, MCP: b.MCPServers(),
	}
	made := command.New(o)
	if described.Type == "acp" {
		made = acp.New(o)
	}
	b.withoutMCP(name, made)
	switch takes := made.TakesAgent(); {
	case described.Agent != "" && !takes && preset != nil:
		return nil, noAgent(name, preset.Name, described)
	case described.Agent != "" && !takes:
		return nil, console.UsageError("backend %s: nothing in its command stands for the agent %s\nAdd {agent} to command, or leave agent out", name, described.Agent)
	case described.Agent == "" && command.WantsAgent(argv):
		return nil, console.UsageError("backend %s has {agent} in its command, and no agent is named\nAdd agent to it, or to each persona that it plays", name)
	}
	if err := made.Check(b.Root); err != nil {
		return nil, unusable("backend %s: %v", name, err)
	}
	if err := b.takesRoot(name, preset, described); err != nil {
		return nil, err
	}
	return made, nil
}

// unusable is why a backend that was named cannot be used.
func unusable(format string, args ...any) error {
	return &halt.NoBackendError{Named: true, Reason: fmt.Sprintf(format, args...)}
}

// noAgent says that an agent is named where there can be none.
func noAgent(name, what string, described config.Backend) error {
	return console.UsageError("backend %s: %s cannot be told which agent is to work, and %s is named\nLeave agent out, under personas and under backends. Of type command %s take one, and so does a command with {agent} in it", name, what, described.Agent, strings.Join(withAgents(), " and "))
}

// withAgents names the known programs that can be told which of their agents is to work.
func withAgents() []string {
	return slices.DeleteFunc(command.Presets(), func(name string) bool {
		preset, _ := command.PresetOf(name)
		return !preset.Agents
	})
}

// tell tells a person something about the backends.
func (b *Backends) tell(event, format string, args ...any) {
	if b.Report != nil {
		b.Report.Report(journal.Note{Event: event, Text: fmt.Sprintf(format, args...)})
	}
}

// waiting tells that a server is asked again, and why.
func (b *Backends) waiting(name string) func(error, time.Duration) {
	return func(why error, wait time.Duration) {
		b.tell("warning", "backend %s: %s; trying again in %s", name, console.Shorten(why.Error(), 200), wait.Round(time.Second))
	}
}

// guessing tells that a server does not count.
func (b *Backends) guessing(name string) func() {
	return func() {
		b.tell("info", "backend %s: its server does not say how many tokens it used; they are guessed from the length of the texts.", name)
	}
}

// CanPlay looks for a persona's backend, and asks each server once whether it is there.
func (b *Backends) CanPlay(ctx context.Context, p personas.Persona, reached map[string]bool) error {
	if _, _, err := b.For(p); err != nil {
		return err
	}
	name, described, err := b.Chosen(p)
	if err != nil || reached[name] {
		return err
	}
	reached[name] = true
	return b.unreached(ctx, name, described)
}
