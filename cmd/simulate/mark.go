package simulate

import (
	"fmt"
	"path"
)

// What a simulation puts beside the user's files, relative to the repository.
const (
	checkScript = "simulated/check.sh"
	standInTest = "simulated/test_stand_in.py"
	usersFile   = "a-file-of-the-user.txt"
	manifests   = "simulated/made"
)

// usersText is what the user's file has to hold in the end.
const usersText = "A file that git does not know, and that nobody may lose.\n"

// testText is a test that a persona could empty.
const testText = "def test_stand_in():\n    assert 1 + 1 == 2\n"

// checkText looks whether files carry the mark of their task: of one task, or without an argument of all that was made.
const checkText = `#!/bin/sh
# Does every file carry the mark of the task that made it? A list has the mark, then the files.
for list in "${@:-}"; do
	[ -n "$list" ] || continue
	[ -s "$list" ] || { echo "$list is missing"; exit 1; }
done
[ $# -gt 0 ] || set -- simulated/made/*
for list in "$@"; do
	[ -e "$list" ] || continue
	{
		read -r mark
		while read -r file; do
			grep -qF -e "$mark" -- "$file" || { echo "$file lacks: $mark"; exit 1; }
		done
	} < "$list" || exit 1
done
`

// mark is what the work of a task leaves in each of its files.
type mark struct {
	phase int // 1-based
	task  string
}

func (m mark) String() string { return fmt.Sprintf("simulated: phase %d %s.", m.phase, m.task) }

// manifest is the list of the files that carry the mark.
func (m mark) manifest() string {
	return path.Join(manifests, fmt.Sprintf("phase-%d-%s", m.phase, m.task))
}

// line is the mark as a comment of a file's language, where that is known.
func (m mark) line(file string, nth int) string {
	text := fmt.Sprintf("%s %d", m, nth)
	switch path.Ext(file) {
	case ".go", ".js", ".ts", ".tsx", ".jsx", ".java", ".rs", ".c", ".h", ".cc", ".cpp", ".cs", ".kt", ".swift", ".mod":
		return "// " + text
	case ".py", ".sh", ".rb", ".yaml", ".yml", ".toml", ".mk", ".cfg", ".ini":
		return "# " + text
	}
	return text
}
