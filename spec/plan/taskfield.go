package plan

import (
	"path"
	"slices"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// setField puts a field of a plan into its task. A field that is given twice adds
// to the first.
func (r *planReader) setField(t *Task, f field) {
	switch f.key {
	case "depends on":
		t.DependsOn = append(t.DependsOn, f.numbers()...)
	case "files":
		t.FilesNone = t.FilesNone || f.isNone()
		t.Files = append(t.Files, r.paths(f)...)
	case "owns":
		t.Owns = append(t.Owns, r.paths(f)...)
	case "changes tests":
		t.ChangesTests = append(t.ChangesTests, r.paths(f)...)
	case "validation":
		r.setValidation(t, f)
	}
}

// paths are the values of a list of paths or globs. Each may have a word before
// it ("Modify: a.go") and a remark or lines behind it ("a.go:10-20 (new)").
func (r *planReader) paths(f field) []string {
	if f.isNone() {
		return nil
	}
	var all []string
	for _, value := range f.values() {
		clean := cleanPath(value)
		if path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") {
			r.wrong.Add(f.line, "write paths relative to the repository", "%q lies outside the repository", strings.TrimSpace(value))
			continue
		}
		if clean != "" {
			all = append(all, clean)
		}
	}
	return all
}

// values are what stands in back-quotes, and between commas where a part has none.
func (f field) values() []string {
	var all []string
	hasCode := false
	for at, t := range f.tokens {
		if t.code {
			all, hasCode = append(all, t.text), true
			continue
		}
		parts := strings.Split(withoutAsides(unescape.Replace(t.text)), ",")
		for i, part := range parts {
			besideCode := i == 0 && hasCode || i == len(parts)-1 && at < len(f.tokens)-1
			if !besideCode {
				all = append(all, strings.Split(strings.ReplaceAll(part, "\n", " "), " and ")...)
			}
		}
	}
	return all
}

var (
	// unescape undoes what keeps the stars and underscores of a glob from being
	// read as emphasis.
	unescape = strings.NewReplacer(`\*`, "*", `\_`, "_")
	// verb is what some planners write before a path, lineRange what behind it.
	verb      = lazyregexp.New(`^[A-Za-z]+:\s+`)
	lineRange = lazyregexp.New(`:\d+(?:-\d+)?$`)
	remark    = lazyregexp.New(`\s+(?:\(.*|—.*|-\s.*)$`)
)

func cleanPath(value string) string {
	value = strings.TrimSpace(value)
	value = value[len(verb.FindString(value)):]
	value = remark.ReplaceAllString(value, "")
	value = lineRange.ReplaceAllString(strings.TrimRight(value, ". "), "")
	if value == "" {
		return ""
	}
	if folder := strings.HasSuffix(value, "/"); folder && len(value) > 1 {
		return path.Clean(value) + "/"
	}
	return path.Clean(value)
}

// path is the path that a field names: in back-quotes, as a link, or plain.
func (f field) path() string {
	if i := slices.IndexFunc(f.tokens, func(t token) bool { return t.code }); i >= 0 {
		return f.tokens[i].text
	}
	text := f.plain()
	if _, target, ok := strings.Cut(text, "]("); ok {
		text, _, _ = strings.Cut(target, ")")
	}
	return strings.Trim(text, "<> ")
}
