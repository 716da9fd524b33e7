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
		concerns = append(concerns, t.Concerns...)
		if t.Kind != machine.KindPlan {
			fixed = append(fixed, cs.mayFix(ctx, t)...)
		}
	}
	findings = slices.DeleteFunc(findings, func(f machine.Finding) bool {
		return f.Title == integrity.OutsidePlan && slices.Contains(fixed, f.File)
	})
	return explained(findings, concerns), nil
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
		return f.Title != integrity.OutsidePlan || f.Severity == machine.Suggestion
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
	words := strings.FieldsFunc(sentence, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("`'\"“”()[],;:!?", r) })
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.TrimSuffix(w, ".")
		return w == file || w == path.Base(file)
	})
}
