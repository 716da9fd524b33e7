package integrity

import (
	"strings"
	"testing"
)

func edit(path, before string, oldnew ...string) Change {
	after := before
	for i := 0; i < len(oldnew); i += 2 {
		if !strings.Contains(after, oldnew[i]) {
			panic("the test edits what is not there: " + oldnew[i])
		}
		after = strings.Replace(after, oldnew[i], oldnew[i+1], 1)
	}
	return Change{Path: path, Status: Modified, Before: []byte(before), After: []byte(after)}
}

func added(path, after string) Change {
	return Change{Path: path, Status: Added, After: []byte(after)}
}

func deleted(path, before string) Change {
	return Change{Path: path, Status: Deleted, Before: []byte(before)}
}

func renamed(from, to, content string) Change {
	return Change{Path: to, OldPath: from, Status: Renamed, Before: []byte(content), After: []byte(content)}
}

func of(severity Severity, findings []Finding) []Finding {
	var found []Finding
	for _, f := range findings {
		if f.Severity == severity {
			found = append(found, f)
		}
	}
	return found
}

func TestManifestsCutAnywhereAreReadWithoutPanic(t *testing.T) {
	for path, content := range map[string]string{
		"Makefile": makefile, "package.json": packageFile, "pyproject.toml": pyproject,
	} {
		for i := range content {
			whole := Change{Path: path, Status: Modified, Before: []byte(content), After: []byte(content)}
			whole.After = whole.After[:i]
			if i == 0 && len(Integrity([]Change{whole}, Allowed{})) == 0 {
				t.Errorf("%s: emptied and not accused", path)
			}
			whole.Before, whole.After = whole.After, whole.Before
			Integrity([]Change{whole}, Allowed{})
		}
	}
}
