package shell

import (
	"path"
	"slices"
	"strings"
)

// reading are the git subcommands that only read, whatever their options.
var reading = []string{
	"status", "diff", "log", "show", "ls-files", "ls-tree", "rev-parse", "rev-list", "blame", "annotate", "grep",
	"cat-file", "describe", "shortlog", "merge-base", "name-rev", "diff-tree", "diff-index", "diff-files", "check-ignore",
	"check-attr", "for-each-ref", "show-ref", "cherry", "whatchanged", "range-diff", "count-objects", "var", "version",
	"help", "--version", "--help", "--exec-path",
}

// readingForms are subcommands that read only when followed by one of these;
// "" stands for no argument at all.
var readingForms = map[string][]string{
	"branch":       {"", "--list", "-l", "-a", "-r", "-v", "-vv", "--show-current", "--contains", "--merged", "--no-merged"},
	"tag":          {"", "--list", "-l", "--contains", "--points-at"},
	"remote":       {"", "-v", "--verbose", "get-url", "show"},
	"stash":        {"list", "show"},
	"worktree":     {"list"},
	"config":       {"--get", "--get-all", "--list", "-l", "get", "list"},
	"reflog":       {"", "show"},
	"submodule":    {"", "status"},
	"notes":        {"", "list", "show"},
	"bisect":       {"log"},
	"symbolic-ref": {},
}

// withValue are git's own options that take the next word.
var withValue = []string{"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix"}

// runners start the command that follows them, after their own options.
var runners = []string{
	"sudo", "env", "exec", "command", "nice", "nohup", "time", "timeout", "xargs", "setsid", "stdbuf", "builtin",
	"ionice", "taskset", "chrt", "strace", "unbuffer", "chronic", "unshare", "coproc", "parallel", "fakeroot", "prlimit", "setarch",
	"flock", "script", "watch",
	"find", "if", "then", "else", "elif", "do", "while", "until", "!", "{",
}

// shells take a script among their words.
var shells = []string{"sh", "bash", "zsh", "dash", "eval"}

// WritingGit names the first git subcommand in a shell command line that may
// write, or "". It sees what stands in the line itself, also in sh -c and eval,
// and not what a script or a variable hides.
func WritingGit(line string) string {
	for _, words := range Commands(line) {
		if verb := writingVerb(words); verb != "" {
			return verb
		}
	}
	return ""
}

func writingVerb(words []string) string {
	afterRunner := false
	for i, w := range words {
		switch name := path.Base(strings.TrimSuffix(w, ".exe")); {
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "-"): // VAR=value before a command
		case name == "git":
			return gitVerb(words[i+1:])
		case slices.Contains(shells, name):
			return scriptVerb(words[i+1:])
		case slices.Contains(runners, name):
			afterRunner = true
		case !afterRunner:
			return ""
		}
		// What follows a runner may be its option, its value, or the command.
	}
	return ""
}

// scriptVerb looks into what a shell is given: a word that is a script, or, for
// eval, all of them together.
func scriptVerb(words []string) string {
	for _, script := range append(slices.Clone(words), strings.Join(words, " ")) {
		if verb := WritingGit(script); verb != "" {
			return verb
		}
	}
	return ""
}

// gitVerb gives the subcommand when it may write.
func gitVerb(words []string) string {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case slices.Contains(withValue, w):
			i++
		case slices.Contains(reading, w):
			return writesToFile(w, words[i+1:])
		case strings.HasPrefix(w, "-"):
		default:
			return formVerb(w, words[i+1:])
		}
	}
	return ""
}

// writesToFile catches the one way in which diff and log write.
func writesToFile(verb string, rest []string) string {
	for _, w := range rest {
		if w == "--output" || strings.HasPrefix(w, "--output=") {
			return verb + " --output"
		}
	}
	return ""
}

func formVerb(verb string, rest []string) string {
	forms, known := readingForms[verb]
	if !known {
		return verb
	}
	first := ""
	if len(rest) > 0 {
		first = rest[0]
	}
	if slices.Contains(forms, first) || verb == "symbolic-ref" && onlyName(rest) {
		return ""
	}
	return verb
}

func onlyName(rest []string) bool {
	rest = slices.DeleteFunc(slices.Clone(rest), func(w string) bool { return w == "-q" || w == "--short" })
	return len(rest) == 1 && !strings.HasPrefix(rest[0], "-")
}
