package integrity

import (
	"strings"
	"testing"
)

const goTest = `package calc

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add = %d", got)
	}
	if got := Add(20, 22); got != 42 {
		t.Errorf("Add = %d", got)
	}
}

func TestSub(t *testing.T) {
	if got := Sub(9, 5); got != 4 {
		t.Fatalf("Sub = %d", got)
	}
}
`

const pyTest = `import calc

def test_add():
    assert calc.add(1, 2) == 3
    assert calc.add(20, 22) == 42

def test_sub():
    assert calc.sub(9, 5) == 4
`

const jsTest = `describe('calc', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3);
    expect(add(20, 22)).toBe(42);
  });

  it('subtracts', () => {
    expect(sub(9, 5)).toBe(4);
  });
});
`

const rustLib = `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
        assert_eq!(add(20, 22), 42);
    }

    #[test]
    fn subtracts() {
        assert_eq!(sub(9, 5), 4);
    }
}
`

const javaTest = `class CalcTest {
    @Test
    void adds() {
        assertEquals(3, add(1, 2));
        assertEquals(42, add(20, 22));
    }
}
`

const rubyTest = `describe Calc do
  it 'adds' do
    expect(add(1, 2)).to eq(3)
    expect(add(20, 22)).to eq(42)
  end
end
`

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

func TestLossOfTestsIsCritical(t *testing.T) {
	for _, tc := range []struct {
		name    string
		changes []Change
		file    string
		line    int
		title   string
	}{
		{"Go file deleted", []Change{deleted("calc_test.go", goTest)}, "calc_test.go", 5, "2 tests were deleted"},
		{"Go test deleted", []Change{edit("calc_test.go", goTest, goTest[strings.Index(goTest, "func TestSub"):], "")}, "calc_test.go", 14, "TestSub was deleted"},
		{"Go test commented out", []Change{edit("calc_test.go", goTest, "func TestSub", "/*\nfunc TestSub", "\t\tt.Fatalf(\"Sub = %d\", got)\n\t}\n}\n", "}\n*/\n")}, "calc_test.go", 14, "TestSub was deleted"},
		{"Go test renamed so that it no longer runs", []Change{edit("calc_test.go", goTest, "TestSub", "xTestSub")}, "calc_test.go", 14, "TestSub was deleted"},
		{"Go file renamed away", []Change{renamed("calc_test.go", "calc_test.go.bak", goTest)}, "calc_test.go", 5, "2 tests were deleted"},
		{"Go test replaced by another", []Change{edit("calc_test.go", goTest, "TestSub", "TestMul", "Sub(9, 5); got != 4", "Mul(3, 7); got != 21")}, "calc_test.go", 14, "TestSub was deleted"},
		{"Go skip", []Change{edit("calc_test.go", goTest, "func TestSub(t *testing.T) {", "func TestSub(t *testing.T) {\n\tt.Skip(\"later\")")}, "calc_test.go", 15, "TestSub no longer runs"},
		{"Go early return", []Change{edit("calc_test.go", goTest, "func TestSub(t *testing.T) {", "func TestSub(t *testing.T) {\n\treturn")}, "calc_test.go", 15, "TestSub no longer runs"},
		{"Go build constraint", []Change{edit("calc_test.go", goTest, "package calc", "//go:build never\n\npackage calc")}, "calc_test.go", 1, "tests no longer run"},
		{"Go if false", []Change{edit("calc_test.go", goTest, "if got := Sub(9, 5); got != 4 {", "if false {")}, "calc_test.go", 15, "no longer runs"},
		{"Go assertion gone", []Change{edit("calc_test.go", goTest, "\tif got := Add(20, 22); got != 42 {\n\t\tt.Errorf(\"Add = %d\", got)\n\t}\n", "")}, "calc_test.go", 5, "TestAdd was hollowed out"},
		{"Go nothing checked", []Change{edit("calc_test.go", goTest, "t.Fatalf(\"Sub = %d\", got)", "t.Logf(\"Sub = %d\", got)")}, "calc_test.go", 14, "TestSub was hollowed out"},
		{"Go failure gone though its condition stays", []Change{edit("calc_test.go", goTest, "42 {\n\t\tt.Errorf(\"Add = %d\", got)\n", "42 {\n")}, "calc_test.go", 5, "TestAdd was hollowed out"},
		{"Go test on one line deleted", []Change{edit("calc_test.go", goTest+"\nfunc TestC(t *testing.T) { checks(t) }\n", "func TestC(t *testing.T) { checks(t) }\n", "")}, "calc_test.go", 20, "TestC was deleted"},
		{"Go helper hollowed out", []Change{edit("calc_test.go", goTest+"\nfunc TestC(t *testing.T) {\n\tsame(t, 7)\n}\n\nfunc same(t *testing.T, n int) {\n\tif n != limit {\n\t\tt.Fail()\n\t}\n}\n", "\t\tt.Fail()\n", "")}, "calc_test.go", 20, "TestC was hollowed out"},
		{"Python skip", []Change{edit("test_calc.py", pyTest, "def test_sub", "@pytest.mark.skip(reason='x')\ndef test_sub")}, "test_calc.py", 7, "test_sub no longer runs"},
		{"Python module skip", []Change{edit("test_calc.py", pyTest, "import calc", "import calc\npytestmark = pytest.mark.skip")}, "test_calc.py", 2, "tests no longer run"},
		{"Python constant", []Change{edit("test_calc.py", pyTest, "assert calc.sub(9, 5) == 4", "assert True")}, "test_calc.py", 8, "test_sub cannot fail"},
		{"Python constant call", []Change{edit("test_calc.py", pyTest, "assert calc.sub(9, 5) == 4", "self.assertEqual(1, 1)")}, "test_calc.py", 8, "cannot fail"},
		{"Python file deleted beside another new test", []Change{deleted("test_calc.py", pyTest), added("test_new.py", "def test_mul():\n    assert calc.mul(3, 7) == 21\n")}, "test_calc.py", 3, "2 tests were deleted"},
		{"Python test in a string", []Change{edit("test_calc.py", pyTest, "def test_sub", "'''\ndef test_sub", "== 4\n", "== 4\n'''\n")}, "test_calc.py", 7, "test_sub was deleted"},
		{"JavaScript it.skip", []Change{edit("calc.test.ts", jsTest, "it('subtracts'", "it.skip('subtracts'")}, "calc.test.ts", 7, "subtracts no longer runs"},
		{"JavaScript xit", []Change{edit("calc.test.ts", jsTest, "it('subtracts'", "xit('subtracts'")}, "calc.test.ts", 7, "subtracts no longer runs"},
		{"JavaScript only", []Change{edit("calc.test.ts", jsTest, "it('subtracts'", "it.only('subtracts'")}, "calc.test.ts", 7, "no longer runs"},
		{"JavaScript describe.skip", []Change{edit("calc.test.ts", jsTest, "describe(", "describe.skip(")}, "calc.test.ts", 1, "tests no longer run"},
		{"JavaScript constant", []Change{edit("calc.test.ts", jsTest, "expect(sub(9, 5)).toBe(4)", "expect(true).toBe(true)")}, "calc.test.ts", 8, "cannot fail"},
		{"Rust ignore", []Change{edit("src/lib.rs", rustLib, "    #[test]\n    fn subtracts", "    #[test]\n    #[ignore]\n    fn subtracts")}, "src/lib.rs", 14, "subtracts no longer runs"},
		{"Rust mark gone", []Change{edit("src/lib.rs", rustLib, "    #[test]\n    fn subtracts", "    fn subtracts")}, "src/lib.rs", 14, "subtracts was deleted"},
		{"Java disabled", []Change{edit("src/test/java/CalcTest.java", javaTest, "    @Test\n", "    @Test\n    @Disabled\n")}, "src/test/java/CalcTest.java", 3, "adds no longer runs"},
		{"Java assertion gone", []Change{edit("src/test/java/CalcTest.java", javaTest, "        assertEquals(42, add(20, 22));\n", "")}, "src/test/java/CalcTest.java", 3, "hollowed out"},
		{"Ruby xit", []Change{edit("spec/calc_spec.rb", rubyTest, "it 'adds'", "xit 'adds'")}, "spec/calc_spec.rb", 2, "no longer runs"},
		{"test file of a language without a row", []Change{deleted("tests/run.bats", "@test x")}, "tests/run.bats", 0, "test file deleted"},
		{"tests made in a loop", []Change{deleted("calc.test.js", "for (const c of cases) test(c.name, () => { expect(add(c.a)).toBe(c.b) })\n")}, "calc.test.js", 1, "calc.test.js was deleted"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for i := range tc.changes {
				path := tc.changes[i].before()
				found := of(Critical, Integrity(tc.changes, Allowed{Files: []string{path, "**"}}))
				if len(found) != 1 || found[0].File != tc.file || found[0].Line != tc.line || !strings.Contains(found[0].Title, tc.title) {
					t.Errorf("a file in Files is no waiver; got %+v", found)
				}
			}
			waived := of(Critical, Integrity(tc.changes, Allowed{ChangesTests: []string{tc.file}}))
			if len(waived) != 0 {
				t.Errorf("under Changes tests, yet %+v", waived)
			}
		})
	}
}

func TestHonestWorkOnTestsIsNotAccused(t *testing.T) {
	sub := goTest[strings.Index(goTest, "func TestSub"):]
	for _, tc := range []struct {
		name    string
		changes []Change
	}{
		{"new test", []Change{edit("calc_test.go", goTest, "func TestSub", "func TestMul(t *testing.T) {\n\tif Mul(2, 3) != 6 {\n\t\tt.Error()\n\t}\n}\n\nfunc TestSub")}},
		{"new test that skips where it cannot run", []Change{edit("calc_test.go", goTest, "func TestSub", "func TestNet(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tt.Fail()\n}\n\nfunc TestSub")}},
		{"new assertion", []Change{edit("calc_test.go", goTest, "\tif got := Sub(9", "\tif Sub(0, 0) != 0 {\n\t\tt.Error()\n\t}\n\tif got := Sub(9")}},
		{"new file with a build constraint", []Change{added("unix_test.go", "//go:build unix\n\n"+goTest)}},
		{"moved to another file", []Change{edit("calc_test.go", goTest, sub, ""), added("sub_test.go", "package calc\n\n"+sub)}},
		{"file renamed", []Change{renamed("calc_test.go", "arith_test.go", goTest)}},
		{"test renamed", []Change{edit("calc_test.go", goTest, "TestSub", "TestDifference")}},
		{"moved and renamed", []Change{deleted("calc_test.go", goTest), added("x/calc_test.go", strings.ReplaceAll(goTest, "func Test", "func TestCalc"))}},
		{"split", []Change{edit("calc_test.go", goTest, "\tif got := Add(20", "}\n\nfunc TestAddLarge(t *testing.T) {\n\tif got := Add(20")}},
		{"made a table", []Change{edit("calc_test.go", goTest, goTest[strings.Index(goTest, "func TestAdd"):], `func TestCalc(t *testing.T) {
	for _, tc := range []struct{ name string; got, want int }{
		{"add", Add(1, 2), 3},
		{"add more", Add(20, 22), 42},
		{"sub", Sub(9, 5), 4},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: got %d", tc.name, tc.got)
		}
	}
}
`)}},
		{"same test made a table", []Change{edit("calc_test.go", goTest, goTest[strings.Index(goTest, "\tif got := Add(1"):strings.Index(goTest, "}\n\nfunc TestSub")], `	for _, c := range [][3]int{{1, 2, 3}, {20, 22, 42}} {
		if got := Add(c[0], c[1]); got != c[2] {
			t.Errorf("Add = %d", got)
		}
	}
`)}},
		{"checks moved to a helper", []Change{edit("calc_test.go", goTest, goTest[strings.Index(goTest, "func TestAdd"):strings.Index(goTest, "func TestSub")], `func same(t *testing.T, got, want int) {
	if got != want {
		t.Errorf("got %d", got)
	}
}

func TestAdd(t *testing.T) {
	same(t, Add(1, 2), 3)
	same(t, Add(20, 22), 42)
}

`)}},
		{"made subtests of functions", []Change{edit("calc_test.go", goTest, "func TestAdd(", "func TestAll(t *testing.T) {\n\tt.Run(\"add\", testAdd)\n\tt.Run(\"sub\", testSub)\n}\n\nfunc testAdd(", "func TestSub(", "func testSub(")}},
		{"Python parametrised", []Change{edit("test_calc.py", pyTest, "def test_add():\n    assert calc.add(1, 2) == 3\n    assert calc.add(20, 22) == 42\n",
			"@pytest.mark.parametrize('a,b,want', [\n    (1, 2, 3),\n    (20, 22, 42),\n])\ndef test_add(a, b, want):\n    assert calc.add(a, b) == want\n")}},
		{"Python merged into one parametrised test", []Change{edit("test_calc.py", pyTest, pyTest[strings.Index(pyTest, "def test_add"):],
			"@pytest.mark.parametrize('f,a,b,want', [(calc.add, 1, 2, 3), (calc.add, 20, 22, 42), (calc.sub, 9, 5, 4)])\ndef test_calc(f, a, b, want):\n    assert f(a, b) == want\n")}},
		{"Python class", []Change{edit("test_calc.py", pyTest, "def test_sub():\n    assert", "class TestSub:\n    def test_sub(self):\n        assert")}},
		{"JavaScript it.each", []Change{edit("calc.test.ts", jsTest, "  it('adds', () => {\n    expect(add(1, 2)).toBe(3);\n    expect(add(20, 22)).toBe(42);\n  });",
			"  it.each([\n    [1, 2, 3],\n    [20, 22, 42],\n  ])('adds %i and %i', (a, b, want) => {\n    expect(add(a, b)).toBe(want);\n  });")}},
		{"JavaScript to TypeScript", []Change{renamed("calc.test.js", "calc.test.ts", jsTest)}},
		{"describe renamed", []Change{edit("calc.test.ts", jsTest, "describe('calc'", "describe('calculator'")}},
		{"reason of a skip reworded", []Change{edit("calc_test.go", "package x\n\nfunc TestA(t *testing.T) {\n\tt.Skip(\"a\")\n\tt.Fail()\n}\n", `"a"`, `"b"`)}},
		{"Rust code and a test more", []Change{edit("src/lib.rs", rustLib, "a + b", "b + a", "    #[test]\n    fn sub", "    #[test]\n    fn more() {\n        assert_eq!(add(0, 0), 0);\n    }\n\n    #[test]\n    fn sub")}},
		{"test without checks deleted", []Change{edit("calc_test.go", goTest+"\nfunc TestNothing(t *testing.T) {\n}\n", "\nfunc TestNothing(t *testing.T) {\n}\n", "")}},
		{"code that speaks of tests", []Change{edit("gen.go", "package x\n\nvar s = `\nfunc TestA(t *testing.T) { t.Fail() }\n`\n", "TestA", "TestB")}},
		{"assertion moved to another test", []Change{edit("test_calc.py", pyTest, "    assert calc.add(20, 22) == 42\n", "", "== 4\n", "== 4\n    assert calc.add(20, 22) == 42\n")}},
		{"helpers that call each other", []Change{edit("calc_test.go", goTest+"\nfunc a(t *testing.T) { b(t) }\n\nfunc b(t *testing.T) { a(t) }\n\nfunc TestC(t *testing.T) {\n\ta(t)\n}\n", "package calc", "package calc // more")}},
		{"formatting", []Change{edit("test_calc.py", pyTest, "calc.sub(9, 5) == 4", "calc.sub(\n        9, 5\n    ) == 4")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, f := range Integrity(tc.changes, Allowed{Files: []string{"**"}}) {
				t.Errorf("accused: %+v", f)
			}
		})
	}
}

func TestNewTestThatChecksNothingIsImportant(t *testing.T) {
	for path, content := range map[string]string{
		"a_test.go":     "package a\n\nfunc TestA(t *testing.T) {\n\tassert.True(t, true)\n}\n",
		"test_a.py":     "\n\ndef test_a():\n    assert True\n",
		"src/a.test.ts": "\n\nit('a', () => {\n  expect(true).toBe(true);\n});\n",
	} {
		found := Integrity([]Change{added(path, content)}, Allowed{Owns: []string{"**"}})
		if len(found) != 1 || found[0].Severity != Important || found[0].Line != 4 || !strings.Contains(found[0].Title, "checks nothing") {
			t.Errorf("%s: got %+v", path, found)
		}
	}
}

func TestChangedExpectationIsImportant(t *testing.T) {
	changes := []Change{edit("calc_test.go", goTest, "9, 5); got != 4", "9, 5); got != 5")}
	found := Integrity(changes, Allowed{Files: []string{"**"}})
	if len(found) != 1 || found[0].Severity != Important || !strings.Contains(found[0].Title, "TestSub expects something else") {
		t.Errorf("got %+v", found)
	}
	if found := Integrity(changes, Allowed{Files: []string{"**"}, ChangesTests: []string{"*_test.go"}}); len(found) != 0 {
		t.Errorf("announced, yet %+v", found)
	}
}

func TestSourcesCutAnywhereAreReadWithoutPanic(t *testing.T) {
	for path, content := range map[string]string{
		"calc_test.go": goTest, "test_calc.py": pyTest, "calc.test.ts": jsTest, "src/lib.rs": rustLib,
		"src/test/java/CalcTest.java": javaTest, "spec/calc_spec.rb": rubyTest, "Makefile": makefile, "package.json": packageFile, "pyproject.toml": pyproject,
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
