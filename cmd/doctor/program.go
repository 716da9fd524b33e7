package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"autopilot/cmd/app"
	"autopilot/cmd/console"
	"autopilot/personas/command"
)

// program tells the version of a known agent program, whether it is the one that autopilot was tried with, and whether
// it is logged in. It is noted as used, and asked once.
func program(ctx context.Context, p *doctorInput, one placed, used map[string]bool) []diagnosis {
	b, ok := one.made.(*command.Backend)
	if !ok || b.Preset() == nil {
		return nil
	}
	name, own, tried := b.Preset().Name, b.Preset().Program, b.Preset().Version
	used[name] = true
	if what := p.strangeProgram(one); what != "" {
		return []diagnosis{notTried("program", what)}
	}
	dir, err := p.folder()
	if err != nil {
		return []diagnosis{{"program", "wrong", err.Error(), "Give yourself the right to write there."}}
	}
	version, err := b.Version(ctx, dir)
	d := diagnosis{Name: "program", Status: "ok", Detail: own + " " + version}
	switch {
	case err != nil:
		return []diagnosis{{"program", "wrong", err.Error(), "Install " + own + " again, or name where it lies: backends: {" + name + ": {type: " + one.described.Type + ", preset: " + name + ", command: [/path/to/" + own + "]}}"}}
	case version != tried:
		d = diagnosis{"program", "note", fmt.Sprintf("%s %s; autopilot was tried with %s", own, version, tried), "If it goes wrong, try that version."}
	}
	return []diagnosis{d, logIn(ctx, p, b, dir, one.described.BaseURL)}
}

// logIn tells whether a program is logged in, as far as that can be seen without asking a model.
func logIn(ctx context.Context, p *doctorInput, b *command.Backend, dir, address string) diagnosis {
	name := b.Preset().Name
	found := b.LogIn(ctx, p.repo.Root(), dir)
	switch {
	case found.State == command.LoggedIn:
		return diagnosis{Name: "log-in", Status: "ok", Detail: name + " is logged in, by " + console.ShortPath(found.By)}
	case address != "":
		return diagnosis{"log-in", "note", name + " asks " + address + ", and no key is named for it", "If it wants one, name its variable with api_key_env."}
	case found.State == command.LoggedOut:
		return diagnosis{"log-in", "wrong", name + " is not logged in", b.Remedy()}
	}
	return diagnosis{"log-in", "note", "no log-in of " + name + " was found where it usually is", b.Remedy() + " Whether it works, autopilot doctor --probe tells."}
}

// others tells of the known agent programs that are installed and not used.
func others(b *app.Backends, used map[string]bool) []diagnosis {
	var names []string
	for _, preset := range b.Installed() {
		if !used[preset.Name] {
			names = append(names, preset.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []diagnosis{{Name: "programs", Status: "ok", Detail: "installed and not used: " + strings.Join(names, ", ") + "; --backend NAME takes one"}}
}
