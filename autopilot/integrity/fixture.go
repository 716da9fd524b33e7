package integrity

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// fixtures are files that tests read: their rows are checks as much as those of a table.
var fixtures = []string{"**/{testdata,fixtures,fixture,__fixtures__,test-data,test_data}/**"}

// stories are files each of which is a test.
var stories = []string{"**/testdata/**/*.{txtar,txtest}", "**/testdata/{script,scripts}/**/*.txt", "**/testdata/fuzz/**", "**/*.feature"}

// fixtureFindings finds data of tests that was taken away without the plan naming
// it: emptied, or of lists the elements. Rows that another file of the change got
// are moved.
func fixtureFindings(changes []Change, a Allowed) []Finding {
	var found []Finding
	gone := map[string][]string{}
	for _, c := range changes {
		if c.Status == Added || c.Status == Renamed && matchesGlobs(stories, c.Path) || isRunData(c.Path) ||
			matchesGlobs(goldens, c.before()) || a.namesGolden(c.before()) {
			continue
		}
		switch story := matchesGlobs(stories, c.before()); {
		case !story && c.Status == Deleted && matchesGlobs(fixtures, c.before()) && !isRead(c, changes) && !playerDeleted(c, changes) && !rowsMoved(c, changes):
			gone[path.Dir(c.before())] = append(gone[path.Dir(c.before())], c.before())
		case story && c.Status == Deleted && !playerDeleted(c, changes) && !rowsMoved(c, changes):
			found = append(found, Finding{
				Critical, c.before(), 0, "the test data " + path.Base(c.before()) + " was deleted",
				"Tests play such files one by one, and the plan does not name it.",
			})
		case c.Status != Deleted && (story || matchesGlobs(fixtures, c.before()) || isRead(c, changes)):
			line, emptied := emptied(c)
			if emptied && !rowsMoved(c, changes) {
				found = append(found, Finding{
					Critical, c.Path, line, "the test data " + path.Base(c.Path) + " was emptied",
					"What tests read from it is gone, so that they check nothing with it, and the plan does not name it.",
				})
			}
		}
	}
	for _, files := range gone {
		found = append(found, Finding{
			Important, files[0], 0, "test data was deleted",
			fmt.Sprintf("Tests may play the files of the folder one by one; the plan names none of the %d that are gone.", len(files)),
		})
	}
	return found
}

// playerDeleted: a test beside the folder of a story went as well, and tells.
func playerDeleted(c Change, changes []Change) bool {
	above, _, _ := strings.Cut("/"+c.before(), "/testdata/")
	return slices.ContainsFunc(changes, func(other Change) bool {
		return other.Status == Deleted && isTestFile(other.Path) && path.Dir("/"+other.Path) == path.Clean("/"+above)
	})
}

// dataFiles are those of which a test that names them reads rows.
var dataFiles = setOf(".json .jsonl .ndjson .yaml .yml .csv .tsv .toml .xml .txt")

// isRead tells whether a test of the change names the file.
func isRead(c Change, changes []Change) bool {
	name := path.Base(c.before())
	return dataFiles.has(path.Ext(name)) && slices.ContainsFunc(changes, func(other Change) bool {
		return isTestFile(other.Path) && (strings.Contains(string(other.After), name) || strings.Contains(string(other.Before), name))
	})
}

// emptied tells whether nothing is left, only the header of a table, or a list
// without elements that had some.
func emptied(c Change) (line int, is bool) {
	before, after := filled(c.Before), filled(c.After)
	switch path.Ext(c.before()) {
	case ".csv", ".tsv":
		return len(after), len(before) > 1 && len(after) < 2
	case ".json", ".yaml", ".yml":
		var old, now yaml.Node
		if yaml.Unmarshal(c.Before, &old) == nil && yaml.Unmarshal(c.After, &now) == nil {
			return emptiedNode(&old, &now)
		}
	}
	if languageOf(c.Path) != nil {
		for _, l := range newLines(c) {
			if noElements.MatchString(l.text) && len(before) > len(after)+1 {
				return l.number, true
			}
		}
		return 0, false
	}
	return 0, len(before) > 0 && len(after) == 0
}

// noElements is a list in code that has nothing in it.
var noElements = lazily(`(?:=|\bexport default|\breturn)\s*(?:\[\s*\]|\{\s*\}|\(\s*\))\s*;?\s*$`)

// filled are the lines that hold something.
func filled(content []byte) []string {
	var lines []string
	for line := range strings.Lines(string(content)) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// emptiedNode compares what stands in the same place: a list or a mapping that
// held something and holds nothing, or is gone with all of the document.
func emptiedNode(old, now *yaml.Node) (line int, is bool) {
	for _, n := range []**yaml.Node{&old, &now} {
		if (*n).Kind == yaml.DocumentNode {
			*n = (*n).Content[0]
		}
	}
	if len(old.Content) == 0 {
		return 0, false
	}
	if len(now.Content) == 0 && (now.Kind != yaml.ScalarNode || now.Tag == "!!null") {
		return cmp.Or(now.Line, 1), true
	}
	if old.Kind != yaml.MappingNode || now.Kind != yaml.MappingNode {
		return 0, false
	}
	for i := 0; i+1 < len(old.Content); i += 2 {
		for k := 0; k+1 < len(now.Content); k += 2 {
			if old.Content[i].Value != now.Content[k].Value {
				continue
			}
			if line, is := emptiedNode(old.Content[i+1], now.Content[k+1]); is {
				return line, true
			}
		}
	}
	return 0, false
}

// rowsMoved tells whether what a file held is found in what others got.
func rowsMoved(c Change, changes []Change) bool {
	brought := pool{}
	for _, other := range changes {
		if other.Path == c.Path || !isTestFile(other.Path) && !matchesGlobs(fixtures, other.Path) && !matchesGlobs(stories, other.Path) {
			continue
		}
		for _, line := range newLines(other) {
			brought.add([]string{line.text})
		}
	}
	gone := newLines(Change{Before: c.After, After: c.Before})
	texts := make([]string, len(gone))
	for i := range gone {
		texts[i] = gone[i].text
	}
	return len(brought) > 0 && brought.accounts(texts)
}
