package doctor

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/process"
	"autopilot/autopilot/shell"
	"autopilot/autopilot/validate"
	"autopilot/cmd/app"
)

// validation starts the tools of the commands that say whether the project is well: without them nothing can be checked.
func validation(ctx context.Context, p *doctorInput) []diagnosis {
	wanted := app.Settings(p.cfg)
	if wanted.ValidateNone {
		return []diagnosis{{Name: "validation", Status: "note", Detail: "none, by the configuration's wish: phases go on unverified"}}
	}
	commands, err := validate.Find(p.repo.Root(), wanted.Validations...)
	if err != nil {
		return []diagnosis{{"validation", "wrong", err.Error(), "Correct that file, or name the commands: validate: {commands: [COMMAND]}"}}
	}
	if len(commands) == 0 {
		return []diagnosis{{"validation", "note", "no command was found", "Name some in autopilot.yaml: validate: {commands: [make test]}"}}
	}
	var found []diagnosis
	var start []string
	strange := p.waitsFor("", app.TrustValidation) != "" && p.backends().Place([]string{"validate"}, "commands") != ""
	for _, v := range commands {
		tools := toolsOf(v.Command)
		switch {
		case strange && len(tools) > 0:
			found = append(found, notTried("validation", v.Command))
		case !p.trust && slices.ContainsFunc(tools, func(argv []string) bool { return strings.ContainsAny(argv[0], `/\`) }):
			found = append(found, diagnosis{Name: "validation", Status: "note", Detail: v.Command + " (not tried: it starts a program by its path; --trust tries it)"})
		default:
			if why := p.startsAll(ctx, tools, v.Dir); why != "" {
				found = append(found, diagnosis{"validation", "wrong", v.Command + ": " + why, "Install what is missing, or name the commands that are meant: validate: {commands: [COMMAND]}"})
				continue
			}
			start = append(start, v.Command)
		}
	}
	if len(start) > 0 {
		found = append(found, diagnosis{Name: "validation", Status: "ok", Detail: strings.Join(start, "; ")})
	}
	return found
}

// builtins are commands that the shell itself has.
var builtins = []string{".", ":", "[", "cd", "eval", "exec", "exit", "export", "false", "set", "shift", "source", "test", "trap", "true", "ulimit", "umask", "unset", "wait"}

var python = lazyregexp.New(`(^|[/\\])python[\d.]*(\.exe)?$`)

// toolsOf is how to see that each tool of a command line starts: it says its version, a module of Python's is imported.
func toolsOf(line string) (tools [][]string) {
	for _, words := range shell.Commands(line) {
		switch {
		case slices.Contains(builtins, words[0]) || strings.ContainsFunc(words[0], unicode.IsControl): // what only a running shell knows
		case len(words) > 2 && python.MatchString(words[0]) && words[1] == "-m":
			tools = append(tools, []string{words[0], "-c", "import " + words[2]})
		default:
			tools = append(tools, []string{words[0], "--version"})
		}
	}
	return tools
}

// toolTime is how long a tool may take to say its version; one that takes longer has started.
const toolTime = 10 * time.Second

// startsAll says why one of the tools does not start; "" is that all do.
func (p *doctorInput) startsAll(ctx context.Context, tools [][]string, dir string) string {
	folder, err := p.folder()
	if err != nil {
		return err.Error()
	}
	if p.trust {
		folder = filepath.Join(folder, filepath.FromSlash(dir))
	}
	for _, argv := range tools {
		result, err := process.Run(ctx, process.Command{Argv: argv, Dir: folder, Env: p.host.Environ, Timeout: toolTime})
		module, imports := strings.CutPrefix(argv[len(argv)-1], "import ")
		switch {
		case err != nil:
			return err.Error()
		case imports && result.ExitCode != 0:
			return argv[0] + " has no module " + module
		}
	}
	return ""
}
