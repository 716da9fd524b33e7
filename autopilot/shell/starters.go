package shell

import (
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// starter is a program that starts the one behind it.
type starter struct {
	values   string // options that take the next word
	operands int    // words of its own before the program
}

// starters by name; those of two words run what stands in the environment of a project.
var starters = map[string]starter{
	"sudo": {"-u -g -h -p -C -D -T -U -r -t --user --group", 0}, "doas": {"-u -C", 0}, "env": {"-u -C --unset --chdir", 0}, "exec": {"-a", 0},
	"command": {}, "builtin": {}, "nohup": {}, "setsid": {}, "chronic": {}, "unbuffer": {}, "fakeroot": {}, "coproc": {}, "busybox": {}, "toybox": {},
	"time": {"-f -o --format --output", 0}, "timeout": {"-k -s --kill-after --signal", 1}, "gtimeout": {"-k -s --kill-after --signal", 1},
	"nice": {"-n --adjustment", 0}, "ionice": {"-c -n --class --classdata", 0}, "stdbuf": {"-i -o -e --input --output --error", 0},
	"taskset": {"", 1}, "chrt": {"", 1}, "setarch": {"", 1}, "flock": {"-w -E --timeout --conflict-exit-code", 1}, "unshare": {}, "prlimit": {},
	"xargs": {"-n -I -P -d -L -s -a -E", 0}, "watch": {"-n --interval", 0}, "xvfb-run": {"-n -s -e -f -w", 0}, "strace": {"-e -o -p -s -u", 0},
	"if": {}, "then": {}, "else": {}, "elif": {}, "do": {}, "while": {}, "until": {}, "!": {}, "{": {},
	"uv run":     {"-p -C --with --python --extra --group --project --directory --package --env-file --with-requirements --with-editable --index", 0},
	"poetry run": {}, "pipenv run": {}, "pdm run": {}, "hatch run": {}, "rye run": {}, "pixi run": {}, "bundle exec": {},
	"npx": {"-p --package", 0}, "bunx": {}, "pnpm exec": {}, "pnpm dlx": {}, "npm exec": {}, "yarn exec": {}, "yarn dlx": {},
}

// assigned is a variable made for one command.
var assigned = lazyregexp.New(`^[A-Za-z_]\w*\+?=`)

// program is where in a command the program stands that it comes to; the length, where there is none.
func (r *scriptReader) program(words []string) int {
	i := 0
	for i < len(words) {
		name := programName(words[i])
		two := strings.Join(append([]string{name}, words[i+1:min(i+2, len(words))]...), " ")
		s, one := starters[name]
		pair, both := starters[two]
		switch {
		case assigned.MatchString(words[i]):
			r.words.assign(words[i])
			i++
		case two == "command -v", two == "command -V": // only asks
			return len(words)
		case both:
			i = pair.behind(words, i+2)
		case one && !(strings.Contains(words[i], "/") && len(r.resolve(words[i])) > 0): // the project may have a program of that name
			i = s.behind(words, i+1)
		default:
			return i
		}
	}
	return i
}

// behind is where the program of a starter stands.
func (s starter) behind(words []string, i int) int {
	own, values := s.operands, strings.Fields(s.values)
	for ; i < len(words); i++ {
		switch w := words[i]; {
		case slices.Contains(values, w):
			i++
		case strings.HasPrefix(w, "-") && w != "-", assigned.MatchString(w) && own > 0:
		case own > 0:
			own--
		default:
			return i
		}
	}
	return i
}

// version is what may follow the name of a program: python3.12, php8.2.
var version = lazyregexp.New(`[\d.]+$`)

// programName is what a program is called, wherever it lies and whatever its version.
func programName(word string) string {
	if word == "." {
		return word
	}
	name := strings.TrimSuffix(path.Base(word), ".exe")
	if plain := version.ReplaceAllString(name, ""); plain != "" {
		if _, is := interpreting[plain]; is {
			return plain
		}
	}
	return name
}
