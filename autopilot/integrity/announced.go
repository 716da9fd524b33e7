package integrity

import (
	"path"
	"slices"
	"strings"
)

// AnnouncesTest says whether the plan announces that a file which judges changes: under Changes tests, where one that builds as
// well has to stand by its own path; what tests read also by a pattern that speaks of such files; and what a person is shown
// before the plan is approved, by its name.
func (a Allowed) AnnouncesTest(p string) bool {
	switch role := RoleOf(p); {
	case (role == Work || Guards(p)) && a.names(p): // of what judges, only scripts have no role of their own
		return true
	case role == Both:
		return slices.Contains(a.ChangesTests, p)
	case role == Data && slices.ContainsFunc(slices.Concat(a.Files, a.Owns), func(pattern string) bool { return speaksOfData(pattern, p) }):
		return true
	}
	return a.testAnnounced(p)
}

// Folders, and ends of names, by which a pattern speaks of what tests read.
var (
	dataFolders = strings.Fields(`testdata golden goldens expected approvals approved snapshots fixtures fixture test-data test_data __snapshots__
		__image_snapshots__ __fixtures__ __mocks__`)
	dataNames = lazily(`[.{,](?:golden|snap|ambr|approved|expected)(?:[.,}*]|$)|-snapshots$`)
)

// speaksOfData wants a pattern that is the file's own path, or that names such a folder or ending: a glob over everything does
// not.
func speaksOfData(pattern, p string) bool {
	if !matches(pattern, p) {
		return false
	}
	exact := !strings.ContainsAny(path.Base(pattern), "*?[{") && !isFolderPattern(pattern, p)
	return exact || slices.ContainsFunc(strings.Split(pattern, "/"), func(part string) bool {
		return slices.Contains(dataFolders, part) || dataNames.MatchString(part)
	})
}
