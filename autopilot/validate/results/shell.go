package results

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/project"
)

// segment is one simple command of a chain: its words, as they are written.
type segment []string

// readShell takes a chain of simple commands joined by && apart; false means that the command is more than that (a
// pipe, a redirection, a loop), and that nobody should try to write it again.
func readShell(command string) ([]segment, bool) {
	var chain []segment
	var words segment
	var w strings.Builder
	started := false
	end := func() {
		if started {
			words = append(words, w.String())
		}
		w.Reset()
		started = false
	}
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == ' ' || c == '\t':
			end()
		case c == '&' && strings.HasPrefix(command[i:], "&&"):
			end()
			chain, words = append(chain, words), nil
			i++
		case strings.IndexByte("&|;<>()`\n#{}", c) >= 0, c == '$' && strings.HasPrefix(command[i:], "$("):
			return nil, false
		case c == '\'' || c == '"':
			n := quotedLength(command[i:])
			if n == 0 || c == '"' && strings.ContainsAny(command[i:i+n], "`\\") || strings.Contains(command[i:i+n], "$(") {
				return nil, false
			}
			w.WriteString(command[i : i+n])
			i, started = i+n-1, true
		case c == '\\' && i+1 < len(command) && command[i+1] != '\n':
			w.WriteString(command[i : i+2])
			i, started = i+1, true
		default:
			w.WriteByte(c)
			started = true
		}
	}
	end()
	chain = append(chain, words)
	return chain, !slices.ContainsFunc(chain, func(s segment) bool { return len(s) == 0 })
}

// quotedLength is the length of the quoted text at the beginning, with its quotes; 0 where it does not end.
func quotedLength(text string) int {
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return 0
	}
	return end + 2
}

var quotes = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// bare is a word without its quotes.
func bare(w string) string { return quotes.Replace(w) }

var assignment = lazyregexp.New(`^[A-Za-z_]\w*=`)

// find is where words stand next to each other in the segment; a program's path does not count. -1: nowhere.
func (s segment) find(words ...string) int {
	for i := range s {
		if i+len(words) > len(s) {
			break
		}
		same := isProgram(bare(path.Base(s[i])), words[0])
		for j := 1; same && j < len(words); j++ {
			same = bare(s[i+j]) == words[j]
		}
		if same {
			return i
		}
	}
	return -1
}

func isProgram(name, wanted string) bool {
	if pattern, varies := programs[wanted]; varies {
		return pattern.MatchString(name)
	}
	return name == wanted
}

// programs have names that vary.
var programs = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`^python[\d.]*(\.exe)?$`),
	"mvn":    lazyregexp.New(`^mvnw?$`),
	"gradle": lazyregexp.New(`^gradlew?$`),
}

// leads is the folder in which the next segment runs, where this one ran in a folder.
func (s segment) leads(folder string) string {
	if len(s) != 2 || s[0] != "cd" || filepath.IsAbs(bare(s[1])) {
		return folder
	}
	return filepath.Join(folder, filepath.FromSlash(bare(s[1])))
}

// prepares says whether what follows needs the segment to have run in the same shell.
func (s segment) prepares() bool {
	return slices.Contains([]string{"cd", "export", ".", "source", "set"}, s[0]) || !slices.ContainsFunc(s, func(w string) bool { return !assignment.MatchString(w) })
}

// ScriptOf is the text of the package.json script that a simple command runs, without arguments of its own.
func ScriptOf(folder string, command []string) (string, bool) {
	words := slices.DeleteFunc(slices.Clone(command), func(w string) bool {
		return assignment.MatchString(w) || w == "--silent" || w == "-s" || w == "run"
	})
	if len(words) != 2 || project.Known(words[0]).Family != project.Node {
		return "", false
	}
	pkg, err := project.ReadPackage(folder)
	name := bare(words[1])
	if words[0] == "npm" && (name == "t" || name == "tst") {
		name = "test"
	}
	text, there := pkg.Scripts[name]
	return text, err == nil && there
}

// Exists says whether a path lies below a folder.
func Exists(folder string, elem ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{folder}, elem...)...))
	return err == nil
}
