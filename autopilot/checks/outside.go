package checks

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"autopilot/autopilot/changes"
	"autopilot/autopilot/git"
	"autopilot/autopilot/integrity"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// JudgePhase is what the changes of a phase show by themselves. They are held against its plan, and a fix may change the tests
// and the files that its findings name as well.
func (cs Checks) JudgePhase(ctx context.Context, changed []git.Change, base string, tasks []machine.Task) ([]machine.Finding, error) {
	findings, err := cs.Integrity(ctx, changed, base, changes.Planned(tasks))
	if err != nil {
		return nil, err
	}
	var fixed, concerns []string
	for _, t := range tasks {
		if t.Large.Approved() {
			fixed = append(fixed, git.Paths(cs.Large(changed))...)
		}
		concerns = append(concerns, t.Concerns...)
		if t.Kind != machine.KindPlan {
			fixed = append(fixed, cs.mayFix(ctx, t)...)
		}
	}
	return folded(explained(withoutStrays(findings, fixed), concerns)), nil
}

// withoutStrays leaves out the findings that these files are outside of the plan.
func withoutStrays(findings []machine.Finding, files []string) []machine.Finding {
	known := map[string]bool{} // a list would take quadratic time
	for _, file := range files {
		known[file] = true
	}
	return slices.DeleteFunc(findings, func(f machine.Finding) bool { return f.Title == integrity.OutsidePlan && known[f.File] })
}

// maxStrays is how many files outside of the plan are findings of their own: more would bury the others.
const maxStrays = 20

// folded makes one finding of too many files outside of the plan that are equally severe.
func folded(findings []machine.Finding) []machine.Finding {
	for _, severity := range []string{machine.Important, machine.Suggestion} {
		is := func(f machine.Finding) bool { return f.Title == integrity.OutsidePlan && f.Severity == severity }
		var files []string
		for _, f := range findings {
			if is(f) {
				files = append(files, f.File)
			}
		}
		if len(files) <= maxStrays {
			continue
		}
		first := slices.IndexFunc(findings, is)
		findings[first].Title += ", as are " + strings.Join(words.FirstFew(files[1:], shownLarge-1), ", ")
		findings = slices.DeleteFunc(findings, is)
	}
	return findings
}

// mayFix lists the files that the findings of a fix name, and the tests that it changed.
func (cs Checks) mayFix(ctx context.Context, t machine.Task) (files []string) {
	for _, f := range t.Fixes() {
		files = append(files, f.File)
	}
	if t.Commit == "" {
		return files
	}
	changed, _ := cs.Repo.History.Differing(ctx, t.Commit+"^", t.Commit) // of a commit that is gone nothing is known
	return append(files, slices.DeleteFunc(changed, func(p string) bool { return !integrity.RoleOf(p).Judges() })...)
}

// Strays lists the findings about files outside of the plan that no concern explains.
func Strays(findings []machine.Finding) []machine.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f machine.Finding) bool {
		return !strings.HasPrefix(f.Title, integrity.OutsidePlan) || f.Severity == machine.Suggestion
	})
}

// explained makes a suggestion of each finding about a file outside of the plan that a concern of the executor's names, with
// what it says.
func explained(findings []machine.Finding, concerns []string) []machine.Finding {
	for _, stray := range Strays(findings) {
		at := slices.IndexFunc(concerns, func(c string) bool { return namesFile(c, stray.File) })
		if at < 0 {
			continue
		}
		f := &findings[slices.Index(findings, stray)]
		f.Severity, f.Rationale = machine.Suggestion, f.Rationale+" The executor says: "+concerns[at]
	}
	return findings
}

// namesFile says whether a sentence has a file's path, or its name, as a word.
func namesFile(sentence, file string) bool {
	parts := strings.FieldsFunc(sentence, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`'\"“”()[],;:!?", r) })
	return slices.ContainsFunc(parts, func(w string) bool {
		w = strings.TrimSuffix(w, ".")
		return w == file || w == path.Base(file)
	})
}
