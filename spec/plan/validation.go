package plan

import (
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// setValidation takes the command in back-quotes. Several that are only joined by
// "and" or a comma must all succeed.
func (r *planReader) setValidation(t *Task, f field) {
	if f.isNone() {
		t.ValidationNone = true
		return
	}
	var commands []string
	for i, tok := range f.tokens {
		between := i > 0 && i < len(f.tokens)-1
		if !tok.code && between && !joins(tok.text) {
			r.wrong.Add(f.line, "write one command, joined by '&&'", "the validation names several commands: %q", f.raw)
			return
		}
		if tok.code && tok.text != "" {
			commands = append(commands, tok.text)
		}
	}
	if len(commands) == 0 {
		r.wrong.Add(f.line, "write the command in back-quotes, or 'none'", "the validation %q is no command", f.raw)
		return
	}
	if t.Validation != "" {
		commands = append([]string{t.Validation}, commands...)
	}
	t.Validation = together(commands)
}

func (f field) hasCode() bool {
	return slices.ContainsFunc(f.tokens, func(t token) bool { return t.code })
}

// joins says whether the words between two commands only join them.
func joins(text string) bool {
	switch strings.Trim(strings.ToLower(text), " ,;\n") {
	case "", "and", "&&", "then", "and then", "+":
		return true
	}
	return false
}

// parting is what a command can have in it that would come between "&&" and it: with it the command behind "&&" would
// not run, or not decide.
var parting = lazyregexp.New(`\|\||[;&#\n]|\\$|(?:^|\s)(?:exit|exec|return)(?:\s|$)`)

// together is one command that succeeds where each of several does. What could part them stands in a shell of its own;
// the line break ends a comment.
func together(commands []string) string {
	if len(commands) == 1 {
		return commands[0]
	}
	if slices.ContainsFunc(commands, errexit.MatchString) {
		return setE + "( " + strings.Join(commands, "\n)\n( ") + "\n)" // left of "&&" a shell passes over its own "set -e"
	}
	all := make([]string, 0, len(commands))
	for _, c := range commands {
		if parting.MatchString(plainJoints.Replace(c)) {
			c = "( " + c + "\n)"
		}
		all = append(all, c)
	}
	return strings.Join(all, " && ")
}

// plainJoints takes away the "&" that part nothing.
var plainJoints = strings.NewReplacer("&&", "", ">&", "")

// errexit is a shell's order to end where a command fails.
var errexit = lazyregexp.New(`\bset\s+-(?:\w*e|o\s+errexit)`)

const setE = "set -e\n"

// script is the text of a fence as one command. Of several lines each has to succeed, not only the last.
func script(text string) string {
	lines := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines++
		}
	}
	if first, _, _ := strings.Cut(text, "\n"); lines < 2 || errexit.MatchString(first) {
		return text
	}
	return setE + text
}
