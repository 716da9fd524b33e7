package tasks

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"autopilot/autopilot/git"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/validate"
	"autopilot/autopilot/words"
)

func short(sha string) string { return sha[:min(len(sha), 7)] }

func shorts(commits []git.Described) []string {
	var list []string
	for _, c := range commits {
		list = append(list, short(c.SHA))
	}
	return list
}

// reasonOf says in a few words why a command did not pass.
func reasonOf(ev validate.Evidence) string {
	if ev.Reason != "" {
		return strings.TrimSuffix(words.FirstLine(ev.Reason), ".")
	}
	return fmt.Sprintf("exit code %d", ev.ExitCode)
}

// maxLastLines is how many lines of an output stand in an error.
const maxLastLines = 10

func lastLines(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	return strings.Join(lines[max(0, len(lines)-maxLastLines):], "\n")
}

// tail is the end of a text, from the beginning of a line.
func tail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}

// split takes a line of error_log apart.
func split(line string) (category, why string) {
	if rest, ok := strings.CutPrefix(line, "["); ok {
		if category, why, ok := strings.Cut(rest, "] "); ok {
			return category, why
		}
	}
	return "", line
}

var notForRefs = lazyregexp.New(`[^A-Za-z0-9_-]+`)

// maxRefPart is how long a part of a name may be.
const maxRefPart = 80

// RefPart is a text, such as a task's id, as a part of a ref's name or the name of a file. Texts that have to be altered
// for it stay apart by a mark made of the whole, and so do those with capitals: file systems that do not tell cases apart
// would take two of them for one.
func RefPart(text string) string {
	part := strings.Trim(notForRefs.ReplaceAllString(text, "-"), "-")
	if part == text && part != "" && len(part) <= maxRefPart && part == strings.ToLower(part) {
		return part
	}
	mark := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8]
	return strings.Trim(part[:min(len(part), maxRefPart)]+"-"+mark, "-")
}

// names says whether a commit is a task's: by its trailer, else by a subject that has the id in brackets, or begins with
// it and a colon. An id that is but a word or a number, such as "auth" or "1", does not count at the beginning: people
// begin their own subjects so, and what counts as the task's can be taken back.
func names(c git.Described, id string) bool {
	if task := c.Trailer("Autopilot-Task"); task != "" {
		return task == id
	}
	subject := words.FirstLine(c.Message)
	return id != "" && (strings.Contains(subject, "["+id+"]") || isLabel(id) && strings.HasPrefix(subject, id+":"))
}

// isLabel says whether an id is made of letters, a separator and digits in this order, as "task-001" is.
func isLabel(id string) bool { return label.MatchString(id) }

var label = lazyregexp.New(`^\pL[\pL\d]*([-_./][\pL\d]+)*[-_./]\d+$`)
