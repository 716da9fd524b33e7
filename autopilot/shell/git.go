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

// WritingGit returns the git subcommand in a line that may write, or "". A call through a script
// or an alias is not seen.
func WritingGit(line string) (verb string) {
	for _, words := range Commands(line) {
		if name := path.Base(strings.TrimSuffix(words[0], ".exe")); name == "git" && verb == "" {
			verb = shown(gitVerb(words[1:]))
		}
	}
	return verb
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
