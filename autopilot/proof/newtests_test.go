package proof

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"autopilot/autopilot/validate"
)

func TestNewTestsShowThatTheyFailWithoutTheChange(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	const head = "import unittest, calc\n\nclass T(unittest.TestCase):\n"
	const old = head + "    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n"
	const half = "    def test_half(self):\n        self.assertEqual(calc.half(3), 1.5)\n"
	const again = "    def test_again(self):\n        self.assertEqual(calc.add(2, 2), 4)\n"
	project := files{"calc.py": "def add(a, b):\n    return a + b\n\ndef half(n):\n    return n // 2\n", "test_calc.py": old}
	mended := "def add(a, b):\n    return a + b\n\ndef half(n):\n    return n / 2\n"
	for name, tc := range map[string]struct {
		change files
		want   []Fresh
	}{
		"a test of the change":             {files{"calc.py": mended, "test_calc.py": old + half}, []Fresh{{Broken, []string{"test_calc.T.test_half"}, 1}}},
		"one of two":                       {files{"calc.py": mended, "test_calc.py": old + half + again}, []Fresh{{Broken, []string{"test_calc.T.test_half"}, 1}}},
		"a test of what was there":         {files{"calc.py": mended, "test_calc.py": old + again}, []Fresh{{Holds, []string{"test_calc.T.test_again"}, 1}}},
		"a test renamed":                   {files{"calc.py": mended, "test_calc.py": head + again}, []Fresh{{Verdict: NoneNew}}},
		"a comment more":                   {files{"calc.py": mended, "test_calc.py": old + "# more\n"}, []Fresh{{Verdict: NoneNew}}},
		"what the old code does not have":  {files{"calc.py": mended + "x = 1\n", "test_calc.py": "from calc import x\n" + old}, []Fresh{{Verdict: Unbuilt}}},
		"a task that writes nothing else":  {files{"test_calc.py": old + again}, nil},
		"a change of prose alone":          {files{"README.md": "More.\n", "test_calc.py": old + again}, nil},
		"a task that writes no test":       {files{"calc.py": mended}, nil},
		"what passes nowhere in the tree":  {files{"calc.py": "import gone\n" + mended, "test_calc.py": old + half}, []Fresh{{Verdict: CouldNot}}},
		"a test that the old code is fine": {files{"calc.py": mended, "test_c.py": old}, []Fresh{{Holds, []string{"test_c.T.test_add"}, 1}}},
	} {
		if !taken(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, q := change(t, project, tc.change, "python3 -m unittest -v")
			got, err := tree.NewTests(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// change lays a change over a project, and is the question about it.
func change(t *testing.T, project, changed files, command string) (Tree, Question) {
	t.Helper()
	tree := newTreeOf(t, project)
	changed.lay(t, tree.Repo.Root())
	position, err := tree.Repo.Position(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Base: position.Head, Commands: []Command{{Validation: validate.Validation{Command: command}}}}
	for path, text := range changed {
		_, was := project[path]
		q.Changes = append(q.Changes, Change{Path: path, New: !was && text != ""})
	}
	if _, err := tree.Open(t.Context(), position.Head); err != nil {
		t.Fatal(err)
	}
	return tree, q
}

func TestNewTestsThatDoNotBuildAreRunOneFileAtATime(t *testing.T) {
	const test = "package calc\n\nimport \"testing\"\n\n"
	project := files{"go.mod": "module calc\n\ngo 1.25\n", "calc.go": "package calc\n\nfunc Half(n int) int { return 1 }\n"}
	tree, q := change(t, project, files{
		"calc.go":       "package calc\n\nfunc Half(n int) int { return n / 2 }\n\nfunc Twice(n int) int { return n * 2 }\n",
		"twice_test.go": test + "func TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Error()\n\t}\n}\n",
		"half_test.go":  test + "func TestHalf(t *testing.T) {\n\tif Half(8) != 4 {\n\t\tt.Error()\n\t}\n}\n",
	}, "go test ./...")
	got, err := tree.NewTests(t.Context(), q)
	if err != nil || len(got) != 1 || got[0].Verdict != Broken || got[0].New != 1 || !strings.Contains(got[0].Tests[0], "TestHalf") {
		t.Errorf("got %+v, error %v", got, err)
	}
}
