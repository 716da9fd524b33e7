package dispatch

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"autopilot/autopilot/evidence"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

const (
	// maxFile is how much of a file, or of an output, is added to a prompt, in bytes.
	maxFile = 12_000
	// maxFiles is how many files a retry's prompt shows.
	maxFiles = 12
)

// retryContext is what each retry of a task gets more than the one before: the second the files, the third the whole
// output and what the files import; and the diagnosis, as soon as there is one. Who makes a diagnosis gets all of it.
func (w Briefs) retryContext(step machine.Step, t machine.Task, related []string) []personas.Section {
	failed, title := len(t.Failures()), "The diagnosis"
	if step.Purpose == string(personas.Diagnosis) {
		failed, title = 3, "An earlier diagnosis"
	}
	var sections []personas.Section
	if failed >= 2 {
		files := related[:min(len(related), maxFiles)]
		sections = w.relatedFiles(files)
		if failed >= 3 {
			sections = append(sections, w.imports(files)...)
			sections = append(sections, w.fullOutput(step, t)...)
		}
	}
	if t.Diagnosis != "" {
		sections = append(sections, personas.Section{Title: title, Text: t.Diagnosis})
	}
	return sections
}

// maxTaskFiles is how much of a task's files is added to its first prompts, in bytes, where nobody knows the model's window.
const maxTaskFiles = 48_000

// taskFiles are the texts among the files that a task or its findings name, whole, as far as they fit; left names the
// others with their size. One that git ignores is not sent unasked.
func (w Briefs) taskFiles(t machine.Task, known []string, room int) (shown []personas.Section, left []string) {
	names := slices.Clone(t.Files)
	for _, f := range t.Fixes() {
		names = append(names, f.File)
	}
	for i, name := range names {
		text, ok := w.text(name)
		switch {
		case !ok || slices.Contains(names[:i], name) || !slices.Contains(known, name) || !utf8.ValidString(text) || strings.Contains(text, "\x00"):
		case len(text) > room:
			left = append(left, fmt.Sprintf("%s (%d bytes)", name, len(text)))
		default:
			shown, room = append(shown, personas.Section{Title: name, Text: text}), room-len(text)
		}
	}
	return shown, left
}

// relatedFiles shows files as they are now; one that is not there shows nothing.
func (w Briefs) relatedFiles(files []string) []personas.Section {
	var sections []personas.Section
	for _, name := range files {
		if text, ok := w.text(name); ok {
			sections = append(sections, personas.Section{Title: "File " + name + " as it is now", Text: w.Mask.Shorten(text, maxFile)})
		}
	}
	return sections
}

// text reads a regular file of the working tree.
func (w Briefs) text(name string) (string, bool) {
	path := filepath.Join(w.Repo.Root(), filepath.FromSlash(name))
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}

// importLine finds the lines by which source files of the usual languages name others.
var importLine = lazyregexp.New(`(?m)^\s*(?:import\b|from\s+\S+\s+import\b|(?:pub\s+)?use\s+\S|mod\s+\w+;|#\s*include\b|require\b|require_relative\b|export\s.*\sfrom\s|(?:const|let|var)\b.*\brequire\(|using\s+\w).*$`)

// imports lists what each file imports: where the cause of a failure lies when it is not in the files themselves.
func (w Briefs) imports(files []string) []personas.Section {
	var list strings.Builder
	for _, name := range files {
		text, ok := w.text(name)
		if !ok {
			continue
		}
		if lines := importsOf(name, text); len(lines) > 0 {
			fmt.Fprintf(&list, "%s\n  %s\n", name, strings.Join(lines, "\n  "))
		}
	}
	if list.Len() == 0 {
		return nil
	}
	return []personas.Section{{Title: "What these files import", Text: w.Mask.Shorten(list.String(), maxFile)}}
}

func importsOf(name, text string) []string {
	var lines []string
	if strings.HasSuffix(name, ".go") {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return []string{"does not parse: " + err.Error()}
		}
		for _, spec := range file.Imports {
			lines = append(lines, spec.Path.Value)
		}
		return lines
	}
	for _, line := range importLine.FindAllString(text, 40) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

// fullOutput is the output of the last validation, as far as it fits. An attempt that ended before its validation
// has none.
func (w Briefs) fullOutput(step machine.Step, t machine.Task) []personas.Section {
	for n := t.Dispatches; n > 0; n-- {
		path := filepath.Join(w.Dir, "attempts", fmt.Sprint(step.Phase), t.ID, fmt.Sprint(n), "validation.log")
		if text, err := evidence.ReadBack(path); err == nil {
			return []personas.Section{{Title: "Full output of the last validation", Text: w.Mask.Shorten(text, 3*maxFile)}}
		}
	}
	return nil
}
