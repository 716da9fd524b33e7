package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot"
	"autopilot/config"
	"autopilot/personas"
	"autopilot/personas/agent"
	"autopilot/personas/command"
	"autopilot/personas/manual"
	"autopilot/personas/openai"
	"autopilot/personas/replay"
)

// backends finds and makes the backend of a persona, each once.
type backends struct {
	host   *Host
	root   string
	cfg    *config.Config
	name   string // --backend
	model  string // --model
	replay string // --replay

	report autopilot.Reporter // told when a server has to be asked again; may be nil

	made   map[string]personas.Backend
	played *replay.File
}

// For picks the backend: --replay and --backend win over the configuration's persona, the persona's own front matter,
// and the configuration's backend.
func (b *backends) For(p personas.Persona) (personas.Backend, string, error) {
	if b.replay != "" {
		made, err := b.make("replay", config.Backend{Type: "replay", File: b.host.path(b.replay)})
		return made, "replay", err
	}
	own := b.cfg.Personas[string(p.Name)]
	name := first(b.name, own.Backend, p.Backend, b.cfg.Backend, "auto")
	if name == "auto" {
		var err error
		if name, err = b.auto(); err != nil {
			return nil, "", err
		}
	}
	described, ok := b.cfg.Backends[name]
	if !ok {
		if name != "openai" {
			return nil, "", &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("there is no backend %q. There are: %s", name, b.known())}
		}
		described = config.Backend{Type: "openai", BaseURL: b.host.Getenv("OPENAI_BASE_URL")}
	}
	described.Model = first(own.Model, b.model, p.Model, described.Model, b.cfg.Model, b.host.Getenv("OPENAI_MODEL"))
	made, err := b.make(name, described)
	return made, name, err
}

// known lists the backends that can be named.
func (b *backends) known() string {
	return strings.Join(append(slices.Sorted(maps.Keys(b.cfg.Backends)), "openai (built in)"), ", ")
}

// auto takes the first that is there: what is configured, else what the environment has a key or an address for.
func (b *backends) auto() (string, error) {
	if names := slices.Sorted(maps.Keys(b.cfg.Backends)); len(names) > 0 {
		return names[0], nil
	}
	if b.host.Getenv("OPENAI_API_KEY") != "" || b.host.Getenv("OPENAI_BASE_URL") != "" {
		return "openai", nil
	}
	return "", &autopilot.NoBackendError{Reason: "no backend is configured, and the environment names none"}
}

// make makes a backend, or finds the one made before.
func (b *backends) make(name string, described config.Backend) (personas.Backend, error) {
	key := fmt.Sprint(name, " ", described.Model)
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

func (b *backends) new(name string, described config.Backend) (personas.Backend, error) {
	options := agent.Options{Environ: b.host.Environ, Now: b.host.Now, MaxTurns: b.cfg.Turns}
	switch described.Type {
	case "openai":
		model, secret, err := b.openai(name, described)
		if err != nil {
			return nil, err
		}
		options.Secrets = secret
		return agent.New(model, options), nil
	case "replay":
		file := described.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(b.root, file)
		}
		played, err := replay.Load(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, usageError("%v; name an existing file with --replay, or under backends.%s.file", err, name)
		}
		if err != nil {
			return nil, usageError("%v", err)
		}
		b.played = played
		options.ModelFor = func(d personas.Dispatch) (agent.Model, error) { return played.Model(d.Key) }
		return agent.New(nil, options), nil
	case "command":
		return b.program(name, described)
	case "manual":
		return manual.New(), nil
	}
	return nil, usageError("backend %s has type %s, which this version cannot run; it knows openai, replay, command and manual", name, described.Type)
}

// program makes a backend of type command. A program with a folder in its name is the repository's, also where the
// session works in a tree of its own.
func (b *backends) program(name string, described config.Backend) (personas.Backend, error) {
	argv := slices.Clone(described.Command)
	if len(argv) == 0 {
		return nil, usageError("backend %s names no command: add command: [PROGRAM, ARGUMENT…]", name)
	}
	if command.WantsModel(argv) && described.Model == "" {
		return nil, &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("backend %s has no model: name one with --model", name)}
	}
	if strings.ContainsRune(filepath.ToSlash(argv[0]), '/') && !filepath.IsAbs(argv[0]) {
		argv[0] = filepath.Join(b.root, argv[0])
	}
	made := command.New(command.Options{Argv: argv, Model: described.Model, Env: described.Env, Environ: b.host.Environ})
	if err := made.Check(b.root); err != nil {
		return nil, &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("backend %s: %v", name, err)}
	}
	return made, nil
}

func (b *backends) openai(name string, described config.Backend) (agent.Model, []string, error) {
	if described.Model == "" {
		return nil, nil, &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("backend %s has no model: name one with --model", name)}
	}
	variable := first(described.APIKeyEnv, "OPENAI_API_KEY")
	key := b.host.Getenv(variable)
	if key == "" && described.BaseURL == "" {
		return nil, nil, &autopilot.NoBackendError{Named: true, Reason: fmt.Sprintf("backend %s needs a key: set %s, or the address of a server that wants none", name, variable)}
	}
	model, err := openai.New(openai.Options{
		BaseURL: described.BaseURL, APIKey: key, Model: described.Model, NoStream: described.Stream != nil && !*described.Stream,
		Idle: b.cfg.Timeouts.Idle, Now: b.host.Now, Waiting: b.waiting(name),
	})
	if err != nil {
		return nil, nil, usageError("%v", err)
	}
	var secrets []string
	if key != "" {
		secrets = append(secrets, key)
	}
	return model, secrets, nil
}

// waiting tells a person that a server is asked again, and why.
func (b *backends) waiting(name string) func(error, time.Duration) {
	if b.report == nil {
		return nil
	}
	return func(why error, wait time.Duration) {
		text := fmt.Sprintf("backend %s: %s; trying again in %s", name, shorten(why.Error(), 200), wait.Round(time.Second))
		b.report.Report(autopilot.Note{Event: "warning", Text: text})
	}
}

// leftOver says, once a session is done, which dispatches of a replay file none of its runs used, nor the draft of a spec.
func (b *backends) leftOver(session string) error {
	if b.played == nil {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(session, "attempts", "*", "*", "*", "dispatch.json"))
	if err != nil {
		return err
	}
	drafted, err := filepath.Glob(filepath.Join(b.root, ".harness", "drafts", "*", "*", "dispatch.json"))
	if err != nil {
		return err
	}
	files = append(files, drafted...)
	var used []personas.Key
	for _, file := range files {
		var key personas.Key
		if err := readJSON(file, &key); err != nil {
			return err
		}
		used = append(used, key)
	}
	if unused := b.played.Unused(used); len(unused) > 0 {
		return fmt.Errorf("the replay file has dispatches that no run used: %v. Take them out, or look why the run went another way", unused)
	}
	return nil
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
