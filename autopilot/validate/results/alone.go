package results

import (
	"path/filepath"
	"slices"
	"strings"
)

// Alone derives from a command, in its folder, the one that runs a single test of it, by the name that a Report gives;
// other flags, such as -race and -tags, stay. False means that it cannot be derived.
func Alone(folder, command, test string) (string, bool) {
	if strings.HasPrefix(test, "-") {
		return "", false // it would be taken for a flag
	}
	return aloneIn(folder, command, test, maxScripts)
}

// maxScripts is how deep scripts of package.json may call each other.
const maxScripts = 3

func aloneIn(folder, command, test string, depth int) (string, bool) {
	chain, ok := readShell(command)
	if !ok || depth == 0 {
		return "", false
	}
	var before []string
	for _, s := range chain {
		folder = s.leads(folder)
		if one, can := s.alone(folder, test, depth); can {
			return strings.Join(append(before, one), " && "), true
		}
		if s.prepares() {
			before = append(before, strings.Join(s, " "))
		}
	}
	return "", false
}

func (s segment) alone(folder, test string, depth int) (string, bool) {
	if text, is := ScriptOf(folder, s); is {
		command, can := aloneIn(folder, text, test, depth-1)
		return s.settings() + binFolders(folder) + command, can
	}
	for _, t := range Tools {
		at := t.in(s)
		if at < 0 {
			continue
		}
		if words, can := t.alone(folder, s[at:], test); can {
			return strings.Join(append(slices.Clone(s[:at]), words...), " "), true
		}
	}
	return "", false
}

// settings are the variables that the segment sets for its command.
func (s segment) settings() string {
	text := ""
	for _, w := range s {
		if assignment.MatchString(w) {
			text += "export " + w + " && "
		}
	}
	return text
}

// binFolders puts on the path what a package manager puts there for its scripts.
func binFolders(folder string) string {
	var places []string
	for up := "$PWD"; ; up += "/.." {
		if Exists(folder, "node_modules", ".bin") {
			places = append(places, up+"/node_modules/.bin:")
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			break
		}
		folder = parent
	}
	if places == nil {
		return ""
	}
	return `export PATH="` + strings.Join(places, "") + `$PATH" && `
}
