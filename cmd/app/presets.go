package app

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"autopilot/autopilot/halt"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/acp"
	"autopilot/personas/command"
)

// Described is the backend of a name: what the configuration says of it, else what is built in under that name.
func (b *Backends) Described(name string) (config.Backend, error) {
	described, ok := b.Cfg.Backends[name]
	_, program := command.PresetOf(name)
	switch {
	case ok:
	case name == "openai":
		described = config.Backend{Type: "openai", BaseURL: b.Host.Getenv("OPENAI_BASE_URL")}
	case b.isServer(name):
		described = config.Backend{Type: "openai", Preset: name}
	case program:
		described = config.Backend{Type: "command", Preset: name}
	default:
		return described, unusable("there is no backend %q. There are: %s", name, b.known())
	}
	return described, nil
}

// known lists the backends that can be named.
func (b *Backends) known() string {
	return strings.Join(append(slices.Sorted(maps.Keys(b.Cfg.Backends)), builtIn()+" (built in)"), ", ")
}

// Installed are the known agent programs that are in PATH.
func (b *Backends) Installed() []command.Preset {
	var found []command.Preset
	for _, name := range command.Presets() {
		preset, _ := command.PresetOf(name)
		if command.New(command.Options{Preset: &preset, Environ: b.Host.Environ}).Check(b.Root) == nil {
			found = append(found, preset)
		}
	}
	return found
}

// autoProgram is the program that is taken when nothing is configured: one that confines itself. Another has to be
// named, since it works without asking and with the user's rights.
func (b *Backends) autoProgram() (string, error) {
	var others []string
	for _, preset := range b.Installed() {
		if preset.Confined {
			return preset.Name, nil
		}
		others = append(others, preset.Name)
	}
	reason := "no backend is configured: no API key is set, and no agent program is installed (" + strings.Join(command.Presets(), ", ") + "). Install one"
	if len(others) > 0 {
		reason = fmt.Sprintf("no backend is configured. Installed: %s. Such a program works without asking and with your rights, so you have to name it: --backend %s", strings.Join(others, ", "), others[0])
	}
	return "", &halt.NoBackendError{Reason: reason}
}

// preset finds the agent program that a backend names; nil where it names none.
func (b *Backends) preset(name string, described config.Backend) (*command.Preset, error) {
	if described.Preset == "" {
		return nil, nil
	}
	find := map[string]func(string) (command.Preset, bool){"command": command.PresetOf, "acp": acp.PresetOf}[described.Type]
	preset, ok := find(described.Preset)
	if !ok {
		return nil, console.UsageError("backend %s: there is no agent program %q. There are: %s", name, described.Preset, strings.Join(command.Presets(), ", "))
	}
	if variable := described.APIKeyEnv; variable != "" && b.Host.Getenv(variable) == "" {
		return nil, unusable("backend %s needs a key: set %s", name, variable)
	}
	return &preset, nil
}

// takesRoot is the error where the user is root and an agent program refuses that; preset nil: it is none that is known.
func (b *Backends) takesRoot(name string, preset *command.Preset, described config.Backend) error {
	if preset == nil || preset.NotAsRoot == "" || os.Geteuid() != 0 || cmp.Or(described.Env[preset.NotAsRoot], b.Host.Getenv(preset.NotAsRoot)) == "1" { // yes and true are not enough for it
		return nil
	}
	return unusable("backend %s: %s refuses to work as root. Run autopilot as another user, or, on a machine that is a sandbox, add env: {%s: \"1\"} to it",
		name, preset.Name, preset.NotAsRoot)
}
