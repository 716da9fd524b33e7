package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/autopilot/validate"
)

func TestTheSameQuestionIsAskedOnce(t *testing.T) {
	tree, runs := newTree(t), filepath.Join(t.TempDir(), "runs")
	tree.Last = &Last{}
	position, err := tree.Repo.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Open(t.Context(), position.Head); err != nil {
		t.Fatal(err)
	}
	q := Question{
		Base: position.Head, Changes: []Change{{Path: "add"}, {Path: "tests/case_add"}},
		Commands: []Command{{Validation: validate.Validation{Command: "echo >>" + runs + "; make -s test"}}},
	}
	for _, c := range []struct {
		work files
		whole,
		asked bool
		want Verdict
	}{
		{work: files{"tests/case_add": "check 1 2 3\n"}, asked: true, want: Holds},
		{want: Holds},
		{work: files{"add": "echo 3\n"}, asked: true, want: Broken},
		{want: Broken},
		{whole: true, asked: true, want: Broken},
		{work: files{"add": base["add"]}, whole: true, asked: true, want: Holds},
	} {
		c.work.lay(t, tree.Repo.Root())
		before, _ := os.ReadFile(runs)
		q.Whole = c.whole
		answers, err := tree.OldTests(t.Context(), q)
		if err != nil || len(answers) != 1 || answers[0].Verdict != c.want {
			t.Fatalf("%+v: got %+v, error %v", c, answers, err)
		}
		after, _ := os.ReadFile(runs)
		if asked := strings.Count(string(after), "\n") > strings.Count(string(before), "\n"); asked != c.asked {
			t.Errorf("%+v: asked %v", c, asked)
		}
	}
}
