package house

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namedFile is a file or a folder of the source that a page names.
var namedFile = regexp.MustCompile("`([\\w*./-]+(?:\\.go|/))`")

// TestContributingNamesWhatIsThere: a name may leave out the folders above it.
func TestContributingNamesWhatIsThere(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." && name != ".ci" {
			return fs.SkipDir
		}
		all = append(all, filepath.ToSlash(name))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := namedFile.FindAllStringSubmatch(string(page), -1)
	if len(found) < 50 {
		t.Errorf("only %d names were found: the test looks for the wrong thing", len(found))
	}
	for _, m := range found {
		name := strings.TrimSuffix(m[1], "/")
		if strings.HasPrefix(name, ".harness/") { // of a project that autopilot works on
			continue
		}
		if !slices.ContainsFunc(all, func(is string) bool { return endsLike(is, name) }) {
			t.Errorf("%s is not there", m[1])
		}
	}
}

// mostNamed is how many files a walk through the source may lead to.
const mostNamed = 15

func TestEachWalkIsShort(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(page), "\n## Seven walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	all := strings.Split(walks, "\n### ")[1:]
	if len(all) != 7 {
		t.Errorf("there are %d walks", len(all))
	}
	for _, walk := range all {
		title, _, _ := strings.Cut(walk, "\n")
		named := map[string]bool{}
		for _, m := range namedFile.FindAllStringSubmatch(walk, -1) {
			named[m[1]] = true
		}
		if len(named) < 5 || len(named) > mostNamed {
			t.Errorf("%s: %d files", title, len(named))
		}
	}
}

// endsLike says whether the end of a path is as a pattern says.
func endsLike(is, pattern string) bool {
	parts, wanted := strings.Split(is, "/"), strings.Split(pattern, "/")
	if len(parts) < len(wanted) {
		return false
	}
	matches, err := path.Match(pattern, path.Join(parts[len(parts)-len(wanted):]...))
	return err == nil && matches
}

// TestEachAttackHasItsTest: the table of docs/security.md names tests and stories that are there.
func TestEachAttackHasItsTest(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Attacks, and what becomes of them\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var tests strings.Builder
	for name, text := range goFiles(t) {
		if strings.HasSuffix(name, "_test.go") {
			tests.WriteString(text)
		}
	}
	rows := strings.Split(strings.TrimSpace(table), "\n")[2:]
	if len(rows) < 20 {
		t.Errorf("%d rows: the test looks for the wrong thing", len(rows))
	}
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		named := regexp.MustCompile("`([\\w-]+)`").FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(cells) != 3 || len(named) == 0 {
			t.Errorf("no test is named: %s", row)
		}
		for _, m := range named {
			_, err := os.Stat("cmd/testdata/scripts/" + m[1] + ".txtar")
			if err != nil && !strings.Contains(tests.String(), "func "+m[1]+"(") {
				t.Errorf("%s is not there: %s", m[1], row)
			}
		}
	}
}
