package plan_test

import (
	"os/exec"
	"strings"
	"testing"
)

// fenceOf is a validation in a fence.
func fenceOf(lines ...string) string {
	return "**Validation:**\n\n```sh\n" + strings.Join(lines, "\n") + "\n```\n\n"
}

func validationOf(t *testing.T, fields string) string {
	t.Helper()
	return mustPlan(t, "## Task 1: x\n\n"+fields).Tasks[0].Validation
}

func TestEachOfSeveralValidationsHasToSucceed(t *testing.T) {
	const fails = "`sh -c 'exit 1'`"
	for name, fields := range map[string]string{
		"or behind":                "**Validation:** " + fails + " and `test -d out || mkdir -p out`",
		"a second command behind":  "**Validation:** " + fails + ", `cd . ; ls`",
		"a comment before":         "**Validation:** `ls # smoke` and " + fails,
		"in the background":        "**Validation:** " + fails + " and `ls & ls`",
		"a backslash before":       "**Validation:** `ls . \\` and " + fails,
		"an end before":            "**Validation:** `exit 0` and " + fails,
		"another program before":   "**Validation:** `exec ls` and " + fails,
		"in an item each":          "**Validation:**\n\n- " + fails + "\n- `false; ls`\n",
		"in a field each":          "**Validation:** " + fails + "\n**Validation:** `ls; ls`\n**Validation:** `ls || ls`\n",
		"the second of three":      "**Validation:** `ls; ls`\n**Validation:** " + fails + "\n**Validation:** `ls || ls`\n",
		"in a fence":               fenceOf("sh -c 'exit 1'", "ls"),
		"in a fence, with a loop":  fenceOf("for f in a b; do", "  test -s $f", "done", "ls"),
		"in the first fence":       fenceOf("sh -c 'exit 1'", "ls") + fenceOf("ls"),
		"in the second fence":      fenceOf("ls") + fenceOf("sh -c 'exit 1'", "ls"),
		"in a fence of two":        fenceOf("ls", "ls") + fenceOf("sh -c 'exit 1'", "ls") + fenceOf("ls"),
		"with a set -e of its own": "**Validation:** `set -eu; false; ls` and `ls`",
		"before a fence":           "**Validation:** `false && ls`\n\n" + fenceOf("ls", "ls"),
	} {
		t.Run(name, func(t *testing.T) {
			command := validationOf(t, fields)
			if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err == nil {
				t.Errorf("%q passes: %s", command, out)
			}
		})
	}
}

func TestValidationsThatSucceedDoSoTogether(t *testing.T) {
	for name, fields := range map[string]string{
		"what may part them":  "**Validation:** `ls # smoke`, `false; ls` and `false || ls`, `exit 0`",
		"a fence":             fenceOf("# first", "ls", "", "ls \\", "  .", "for f in a b; do", "  echo $f", "done", "cat <<EOF", "a", "EOF"),
		"a fence and another": fenceOf("ls", "cat <<EOF", "a", "EOF") + "**Validation:** `ls # smoke`\n" + fenceOf("ls"),
		"where one may fail":  fenceOf("set +e", "false", "ls"),
	} {
		t.Run(name, func(t *testing.T) {
			command := validationOf(t, fields)
			if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%q: %v: %s", command, err, out)
			}
		})
	}
}

func TestValidationsThatNothingPartsStayAsTheyAreWritten(t *testing.T) {
	for fields, want := range map[string]string{
		"`a && b` and `c | d 2>&1`": "a && b && c | d 2>&1",
		"`a || b`":                  "a || b",
		"`a; b` and `c`, `d || e`":  "( a; b\n) && c && ( d || e\n)",
	} {
		if got := validationOf(t, "**Validation:** "+fields); got != want {
			t.Errorf("%s: got %q, want %q", fields, got, want)
		}
	}
}
