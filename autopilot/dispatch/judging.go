package dispatch

import (
	"context"
	"strings"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
)

// judging is diff with what judges in a part of its own, so that a long change does not push it out.
func (w Briefs) judging(ctx context.Context, b *personas.Brief, done done) error {
	b.Base, b.Head, b.DiffStat = done.base, done.head(), done.stat
	text, more, err := w.Repo.Tree.Diff(ctx, b.Base, b.Head, 10*maxDiff)
	judges, rest := divide(text)
	b.Judging, b.JudgingCut = atLine(judges, maxDiff/2)
	b.Diff, b.DiffCut = atLine(rest, maxDiff-len(b.Judging))
	b.JudgingCut, b.DiffCut = b.JudgingCut || more, b.DiffCut || more
	return err
}

// divide parts a diff into the files that judge, before or after the change, and the others.
func divide(diff string) (judges, rest string) {
	const head = "diff --git "
	for _, part := range strings.Split("\n"+diff, "\n"+head)[1:] {
		part = head + strings.TrimSuffix(part, "\n") + "\n"
		if judged(part) {
			judges += part
			continue
		}
		inside, others := divideFile(part)
		judges, rest = judges+inside, rest+others
	}
	return judges, rest
}

// testsInside tells of tests inside of source files, which are those of Rust and examples in documentation with their results.
var testsInside = lazyregexp.New("(?m)^(?:@@.*\\bmod tests?\\b|[-+ ]\\s*(?:#\\[(?:cfg\\(test\\)|(?:\\w+::)*test\\b)|//[/!] *```|>>> ))")

// divideFile parts the diff of a source file into the places with tests and the others.
func divideFile(part string) (tests, others string) {
	const place = "\n@@ "
	places := strings.Split(part, place)
	about := strings.TrimSuffix(places[0], "\n")
	for _, p := range places[1:] {
		p = place + strings.TrimSuffix(p, "\n")
		if testsInside.MatchString(p) {
			tests += p
		} else {
			others += p
		}
	}
	if tests != "" {
		tests = about + tests + "\n"
	}
	if others != "" || tests == "" {
		others = about + others + "\n"
	}
	return tests, others
}

// judged says whether a file of a diff judges.
func judged(part string) bool {
	for _, path := range pathsOf(part) {
		if role := integrity.RoleOf(path); role.Judges() || role == integrity.Both {
			return true
		}
	}
	return false
}

// pathsOf are the paths of a file of a diff: one, or two where it was renamed.
func pathsOf(part string) []string {
	about, _, _ := strings.Cut(part, "\n@@")
	if _, renamed, is := strings.Cut(about, "\nrename from "); is {
		from, to, _ := strings.Cut(renamed, "\nrename to ")
		to, _, _ = strings.Cut(to, "\n")
		return []string{unquoted(from), unquoted(to)}
	}
	first, _, _ := strings.Cut(about, "\n")
	names := strings.TrimPrefix(first, "diff --git ") // a/path b/path, the same one twice
	_, path, _ := strings.Cut(unquoted(names[:len(names)/2]), "/")
	return []string{path}
}

// unquoted is a path without the quotes that git puts around an unusual one.
func unquoted(path string) string { return strings.Trim(path, `"`) }

// atLine cuts a text at the end of a line.
func atLine(text string, most int) (string, bool) {
	if len(text) <= most {
		return text, false
	}
	return text[:strings.LastIndexByte(text[:most], '\n')+1], true
}
