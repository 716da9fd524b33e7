package dispatch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"autopilot/autopilot/integrity"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/personas"
)

// diff is what changed, code before what judges, which has a part of its own so that a long change does not push it out. The
// spec and the plans are left out: the prompt has them already.
func (w Briefs) diff(ctx context.Context, b *personas.Brief, s machine.State, done done, f Facts) error {
	b.Base, b.Head, b.DiffStat = done.base, done.head(), done.stat
	most := f.share(diffShare, maxDiff)
	text, more, err := w.Repo.Tree.Diff(ctx, b.Base, b.Head, 10*max(most, maxDiff))
	own := []string{s.SpecPath}
	for _, p := range s.Phases {
		own = append(own, p.PlanPath)
	}
	judges, rest := divide(text, own)
	b.Judging, b.JudgingLeft = whole(judges, most/2)
	b.Diff, b.DiffLeft = whole(rest, most-len(b.Judging))
	if more {
		b.DiffLeft = append(b.DiffLeft, fmt.Sprintf("what comes after the first %d bytes of the diff", 10*max(most, maxDiff)))
	}
	return err
}

// whole takes whole files of a diff, in their order, as far as they fit; left names the others with their size. Where none
// fits it takes the beginning of the first.
func whole(files []string, most int) (text string, left []string) {
	for _, file := range files {
		if len(text)+len(file) <= most {
			text += file
			continue
		}
		paths := pathsOf(file)
		left = append(left, fmt.Sprintf("%s (%d bytes)", paths[len(paths)-1], len(file)))
	}
	if text == "" && len(left) > 0 {
		text = files[0][:strings.LastIndexByte(files[0][:most], '\n')+1]
	}
	return text, left
}

// divide parts a diff into the files that judge, before or after the change, and the others; own are in neither.
func divide(diff string, own []string) (judges, rest []string) {
	const head = "diff --git "
	for _, part := range strings.Split("\n"+diff, "\n"+head)[1:] {
		part = head + strings.TrimSuffix(part, "\n") + "\n"
		switch paths := pathsOf(part); {
		case slices.Contains(own, paths[len(paths)-1]):
		case judged(paths):
			judges = append(judges, sampled(part, paths[len(paths)-1]))
		default:
			inside, others := divideFile(part)
			judges, rest = appendSome(judges, inside), appendSome(rest, others)
		}
	}
	return judges, rest
}

// appendSome appends a text that is not empty.
func appendSome(list []string, text string) []string {
	if text == "" {
		return list
	}
	return append(list, text)
}

const (
	newFile   = "\nnew file mode "
	maxSample = 25 // lines of the diff of a new file of data that a prompt shows, its head included
)

// kindsOfData are the endings of files that tests read, and nothing runs.
var kindsOfData = []string{".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xml", ".html", ".txt", ".log", ".sql", ".snap", ".golden"}

// sampled is the beginning of a new file of data that tests read, however long it is: it can be right or wrong only beside the
// test, and who doubts it reads the rest. What was there before and is changed stays whole.
func sampled(part, path string) string {
	if !strings.Contains(part, newFile) || !slices.Contains(kindsOfData, filepath.Ext(path)) || integrity.RoleOf(path) == integrity.Both {
		return part
	}
	lines := strings.SplitAfter(part, "\n")
	if len(lines) <= 2*maxSample {
		return part
	}
	return strings.Join(lines[:maxSample], "") + fmt.Sprintf("+ … and %d lines more of this file of data\n", len(lines)-1-maxSample)
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

// judged says whether one of a file's paths judges.
func judged(paths []string) bool {
	for _, path := range paths {
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
