package integrity

import (
	"path"
	"slices"
	"strings"
)

// goldens are files that hold what tests expect.
var goldens = []string{
	"**/__snapshots__/**", "**/__image_snapshots__/**", "**/*.snap", "**/*.snap.new", "**/*.ambr", "**/*.golden", "**/*.golden.*", "**/golden/**", "**/goldens/**",
	"**/testdata/**/*.{want,out,expected}", "**/{expected,approvals}/**/*.{txt,json,out,xml,html}", "**/*.approved.*", "**/*-snapshots/*.png",
}

// goldenFindings: what a test expects is rewritten only where the plan names it.
// New ones belong to new tests.
func goldenFindings(c Change, a Allowed) []Finding {
	same := c.Status == Renamed && string(c.Before) == string(c.After) && matchesGlobs(goldens, c.Path)
	if c.Status == Added || same || !matchesGlobs(goldens, c.before()) || isRunData(c.Path) || a.namesGolden(c.before()) {
		return nil
	}
	done := map[Status]string{Modified: "rewritten", Deleted: "deleted", Renamed: "renamed"}[c.Status]
	return []Finding{{
		Critical, c.before(), firstDifference(c), "what a test expects was " + done,
		"A snapshot or golden file that follows the code accepts whatever the code does, and the plan does not name it.",
	}}
}

// Folders, and ends of names, by which a pattern speaks of goldens.
var (
	goldenFolders = setOf(`testdata golden goldens expected approvals approved snapshots fixtures fixture test-data test_data
		__snapshots__ __image_snapshots__ __fixtures__`)
	goldenNames = lazily(`[.{,](?:golden|snap|ambr|approved|expected)(?:[.,}*]|$)|-snapshots$`)
)

// namesGolden wants a pattern that is the file's own path, or speaks of goldens;
// under Changes tests any does.
func (a Allowed) namesGolden(p string) bool {
	speaks := func(pattern string) bool {
		if !matches(pattern, p) {
			return false
		}
		exact := !strings.ContainsAny(path.Base(pattern), "*?[{") && !isFolderPattern(pattern, p)
		return exact || slices.ContainsFunc(strings.Split(pattern, "/"), func(part string) bool {
			return goldenFolders.has(part) || goldenNames.MatchString(part)
		})
	}
	return a.testAnnounced(p) || slices.ContainsFunc(a.Files, speaks) || slices.ContainsFunc(a.Owns, speaks)
}
