package project

import (
	"cmp"
	"slices"
)

// goal is what a command is for; each has a list in the profile.
type goal int

const (
	test goal = iota
	lint
	build
)

// command is a command as a finder gives it; "" for source is the manager's manifest.
type command struct {
	goal         goal
	text, source string
}

// commands fills in what tests, lints and builds the project, folder by folder.
func (t *tree) commands(p *Profile) {
	p.TestCommands, p.LintCommands, p.BuildCommands = []Command{}, []Command{}, []Command{}
	lists := map[goal]*[]Command{test: &p.TestCommands, lint: &p.LintCommands, build: &p.BuildCommands}
	add := func(dir, source string, found []command) {
		for _, c := range found {
			one := Command{Command: c.text, Dir: dir, Source: cmp.Or(c.source, source)}
			list := lists[c.goal]
			if !slices.ContainsFunc(*list, func(o Command) bool { return o.Command == one.Command && o.Dir == one.Dir }) {
				*list = append(*list, one)
			}
		}
	}
	for _, m := range p.PackageManagers {
		if of := familyCommands[Known(m.Name).Family]; of != nil {
			add(m.Dir, m.Source, of(t, m))
		}
	}
	add("", "", t.runners())
}

// familyCommands are what a package manager and the files beside its manifest tell, by its family.
var familyCommands = map[string]func(*tree, Manager) []command{
	"go": goCommands, Node: nodeCommands, Python: pythonCommands,
	"cargo": cargoCommands, "bundler": rubyCommands, "composer": phpCommands,
	"gradle": wrapped("gradle", "gradlew", " test", " assemble"),
	"maven":  wrapped("mvn", "mvnw", " -B test", " -B package -DskipTests"),
	"mix":    fixed(command{test, "mix test", ""}, command{build, "mix compile", ""}),
	"pub":    fixed(command{test, "dart test", ""}, command{lint, "dart analyze", ""}),
	"swift":  fixed(command{test, "swift test", ""}, command{build, "swift build", ""}),
	"dotnet": fixed(command{test, "dotnet test", ""}, command{build, "dotnet build", ""}),
}

func fixed(list ...command) func(*tree, Manager) []command {
	return func(*tree, Manager) []command { return list }
}

func goCommands(t *tree, m Manager) []command {
	found := []command{{test, "go test ./...", ""}, {build, "go build ./...", ""}}
	if lints := t.configured("go", m.Dir); len(lints) > 0 {
		return append(found, lints...)
	}
	return append(found, command{lint, "go vet ./...", ""})
}

// nodeScripts are the scripts of a package.json that say what they are for.
var nodeScripts = []struct {
	goal goal
	name string
}{{test, "test"}, {lint, "lint"}, {lint, "typecheck"}, {lint, "type-check"}, {build, "build"}}

func nodeCommands(t *tree, m Manager) []command {
	var found []command
	scripts := t.packageJSON(m.Dir)
	for _, s := range nodeScripts {
		if scripts.Script(s.name) != "" {
			found = append(found, command{s.goal, Known(m.Name).Run + s.name, ""})
		}
	}
	return found
}

func cargoCommands(t *tree, m Manager) []command {
	text, all := t.toml(m.Dir, "Cargo.toml"), ""
	if has(text, "workspace") {
		all = " --workspace"
	}
	found := []command{{test, "cargo test" + all, ""}, {build, "cargo build" + all, ""}}
	if t.has(m.Dir, "clippy.toml", ".clippy.toml") || has(text, "lints") || has(text, "workspace.lints") {
		found = append(found, command{lint, "cargo clippy" + all, ""})
	}
	return found
}

func rubyCommands(t *tree, m Manager) []command {
	found := t.configured("bundler", m.Dir)
	switch {
	case t.has(m.Dir, ".rspec") || t.any(m.Dir, "_spec.rb"):
		found = append(found, command{test, "bundle exec rspec", ""})
	case t.has(m.Dir, "Rakefile") && t.any(m.Dir, "_test.rb"):
		found = append(found, command{test, "bundle exec rake test", "Rakefile"})
	}
	return found
}

func phpCommands(t *tree, m Manager) []command { return t.configured("composer", m.Dir) }

// wrapped are commands of a program that a project may have a script of its own for.
func wrapped(program, script, tests, builds string) func(*tree, Manager) []command {
	return func(t *tree, m Manager) []command {
		call := program
		if t.has(m.Dir, script) {
			call = "./" + script
		}
		return []command{{test, call + tests, ""}, {build, call + builds, ""}}
	}
}
