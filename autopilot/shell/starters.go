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
	"sudo": {"-u -g -h -p -C -D -T -U -r -t --user --group", 0}, "doas": {"-u -C", 0}, "env": {"-u -C -a --unset --chdir --argv0", 0}, "exec": {"-a", 0},
	"command": {}, "builtin": {}, "nohup": {}, "setsid": {}, "chronic": {}, "unbuffer": {}, "fakeroot": {}, "coproc": {}, "busybox": {}, "toybox": {},
	"time": {"-f -o --format --output", 0}, "timeout": {"-k -s --kill-after --signal", 1}, "gtimeout": {"-k -s --kill-after --signal", 1},
	"nice": {"-n --adjustment", 0}, "ionice": {"-c -n --class --classdata", 0}, "stdbuf": {"-i -o -e --input --output --error", 0},
	"taskset": {"", 1}, "chrt": {"", 1}, "setarch": {"", 1}, "flock": {"-w -E --timeout --conflict-exit-code", 1}, "unshare": {}, "prlimit": {},
	"xargs": {"-n -I -P -d -L -s -a -E -J -R -S --max-args --max-procs --max-lines --max-chars --delimiter --arg-file", 0}, "watch": {"-n --interval", 0}, "parallel": {"-j -n -a --jobs --arg-file", 0}, "script": {"-E -I -O", 0}, "xvfb-run": {"-n -s -e -f -w", 0}, "strace": {"-e -o -p -s -u", 0},
	"uv run":     {"-p -C --with --python --extra --group --project --directory --package --env-file --with-requirements --with-editable --index", 0},
	"poetry run": {}, "pipenv run": {}, "pdm run": {}, "hatch run": {}, "rye run": {}, "pixi run": {}, "bundle exec": {},
	"npx": {"-p --package", 0}, "bunx": {}, "pnpm exec": {}, "pnpm dlx": {}, "npm exec": {}, "yarn exec": {}, "yarn dlx": {},
}

// assigned is a variable made for one command.
var assigned = lazyregexp.New(`^[A-Za-z_]\w*\+?=`)

// behindStarter is where the program stands that a starter starts; 0 where the command is no starter.
func behindStarter(name string, words []string) int {
	if s, is := starters[name+" "+first(words[1:])]; is {
		return s.behind(words, 2)
	}
	if s, is := starters[name]; is {
		return s.behind(words, 1)
	}
	return 0
}

// behind is where the program of a starter stands.
func (s starter) behind(words []string, i int) int {
	own, values := s.operands, strings.Fields(s.values)
	for ; i < len(words); i++ {
		switch w := words[i]; {
		case slices.Contains(values, w), takesNext(w, values):
			i++
		case strings.HasPrefix(w, "-"), assigned.MatchString(w):
		case own > 0:
			own--
		default:
			return i
		}
	}
	return len(words)
}

// takesNext says whether the first letter of a bundle that takes a value ends it.
func takesNext(word string, values []string) bool {
	if !isBundle(word) {
		return false
	}
	at := strings.IndexFunc(word[1:], func(r rune) bool { return slices.Contains(values, "-"+string(r)) })
	return at == len(word)-2
}

// isBundle says whether a word is options of one letter.
func isBundle(word string) bool {
	return len(word) > 1 && word[0] == '-' && word[1] != '-'
}

// version is what may follow the name of a program: python3.12, php8.2.
var version = lazyregexp.New(`[\d.]+$`)

// programName is what a program is called, wherever it lies and whatever its version.
func programName(word string) string {
	if word == "." || word == "" {
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

// name is what a program is called, or the whole word if it is one of the working tree's own.
func (w *walk) name(word string) string {
	name := programName(word)
	if _, is := interpreting[name]; !is && strings.Contains(word, "/") && below(w.resolve(word), w.root) {
		return word
	}
	return name
}
