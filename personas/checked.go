package personas

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

func checked(w *page, _ Persona, b Brief) {
	if len(b.Evidence) == 0 {
		return
	}
	w.head("What the program itself ran")
	for _, e := range b.Evidence {
		w.line(fmt.Sprintf("- exit code %d: %s", e.ExitCode, code(e.Command)))
	}
	for _, e := range b.Evidence {
		if e.Note != "" {
			w.line("\nOutput of " + code(e.Command) + ":")
			w.data(e.Note)
		}
	}
}

func validations(w *page, _ Persona, b Brief) {
	if len(b.Validations) == 0 {
		return
	}
	w.head("The project's validations")
	for _, v := range b.Validations {
		w.line("- " + code(v))
	}
}

func blind(w *page, _ Persona, b Brief) {
	if len(b.Blind) == 0 {
		return
	}
	w.head("Expected by somebody who read the spec alone")
	w.line("Each of these checks failed twice. Answer it in `judged` by its id: `code` where the code is wrong, `check` where the check\n" +
		"is wrong or wants what the spec does not say, `spec` where the spec can be read in both ways; and why, with both\n" +
		"readings. What the plan assumes is no reason. Do not repeat it as a finding of your own.")
	for _, f := range b.Blind {
		w.line(fmt.Sprintf("\n%s, exit code %d (where the phase began: %s): %s", f.ID, f.ExitCode, strings.ReplaceAll(f.Before, "_", " "), code(f.Command)))
		text := "\"" + f.Quote + "\"\n"
		for _, file := range f.Files {
			text += "\n" + file.Path + ":\n" + strings.TrimSpace(file.Text) + "\n"
		}
		w.data(text + "\n" + strings.TrimSpace(f.Output))
	}
}

func findings(w *page, p Persona, b Brief) {
	if len(b.Findings) == 0 {
		return
	}
	if p.Name == Executor {
		w.head("The findings to fix")
	} else {
		w.head("Findings from before")
	}
	switch p.Name {
	case Planner:
		w.line("They are open. Plan what mends those that this phase is about.")
	case Verifier, Reviewer:
		w.line("Answer each in `judged` by its id: `still` there, `fixed`, or `wrong`, and why. Where you see one again, that is `still`:\ndo not repeat it as a finding of your own.")
	}
	var text strings.Builder
	for i, f := range b.Findings {
		fmt.Fprintf(&text, "%s [%s] %s: %s\n", cmp.Or(f.ID, strconv.Itoa(i+1)+"."), f.Severity, f.where(), f.Title)
		if f.Rationale != "" {
			text.WriteString("   " + strings.ReplaceAll(strings.TrimSpace(f.Rationale), "\n", "\n   ") + "\n")
		}
	}
	w.data(text.String())
}

// where names the place of a finding as editors take it: file:line.
func (f Finding) where() string {
	switch {
	case f.File == "":
		return "(no file)"
	case f.Line == 0:
		return f.File
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

func guide(w *page, _ Persona, b Brief) {
	if b.Guide == "" {
		return
	}
	w.head("The repository's own guide (" + inline(cmp.Or(b.GuidePath, "AGENTS.md")) + ")")
	w.line("Its conventions for code, tests and tools apply; where it asks for commits, questions or other work, the rules\nabove stand.")
	w.data(b.Guide)
}

func background(w *page, _ Persona, b Brief) {
	if len(b.Dirty) > 0 {
		w.head("The user's own uncommitted files")
		w.line("Leave them as they are. They are in the tree, but no part of your work.")
		w.data(bulleted(b.Dirty))
	}
	if len(b.Learnings) > 0 {
		w.head("Learned before")
		w.data(bulleted(b.Learnings))
	}
	standing(w, b.Standing)
}

// standing stands in one block: its titles are the program's, and what is below
// them is not.
func standing(w *page, sections []Section) {
	if len(sections) == 0 {
		return
	}
	w.head("Where the work stands")
	parts := make([]string, len(sections))
	for i, s := range sections {
		parts[i] = inline(s.Title) + ":\n" + strings.TrimRight(s.Text, "\n")
	}
	w.data(strings.Join(parts, "\n\n"))
}
