package integrity

import (
	"strings"
	"testing"
)

// body makes a test of statements.
func body(statements string) string {
	return "package calc\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {\n\t" + strings.ReplaceAll(statements, "\n", "\n\t") + "\n}\n"
}

const checked = "got := Add(1, 2)\nif got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"

func TestGoChecksThatNoRunReachesDoNotCount(t *testing.T) {
	for name, tc := range map[string]struct{ before, after string }{
		"loop that never runs":             {checked, "got := Add(1, 2)\nfor false {\n\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}"},
		"loop over no rows":                {checked, "got := Add(1, 2)\nfor range []int{} {\n\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}"},
		"loop over zero":                   {checked, "got := Add(1, 2)\nfor range 0 {\n\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}"},
		"case that never holds":            {checked, "got := Add(1, 2)\nswitch {\ncase false:\n\tt.Errorf(\"got %d\", got)\n}"},
		"behind a block that returns":      {checked, "got := Add(1, 2)\n{\n\treturn\n}\nif got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"},
		"behind a condition that holds":    {checked, "got := Add(1, 2)\nif 1 == 1 {\n\treturn\n}\nif got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"},
		"behind returns on both ways":      {checked, "got := Add(1, 2)\nif got > 9 {\n\treturn\n} else {\n\treturn\n}\nif got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"},
		"else of what always holds":        {checked, "got := Add(1, 2)\nif !false {\n\t_ = got\n} else {\n\tt.Errorf(\"got %d\", got)\n}"},
		"behind continue":                  {"for range 3 {\n\t" + strings.ReplaceAll(checked, "\n", "\n\t") + "\n}", "for range 3 {\n\tgot := Add(1, 2)\n\tcontinue\n\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}"},
		"constant variable":                {checked, "got := Add(1, 2)\nconst check = false\nif check && got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"},
		"DeepEqual of one value":           {checked, "got := Add(1, 2)\nif !reflect.DeepEqual(got, got) {\n\tt.Errorf(\"got %d\", got)\n}"},
		"Diff of one value":                {checked, "got := Add(1, 2)\nif diff := cmp.Diff(got, got); diff != \"\" {\n\tt.Error(diff)\n}"},
		"rows cut off":                     {"for _, n := range []int{1, 2, 3} {\n\tif Add(n, 0) != n {\n\t\tt.Error(n)\n\t}\n}", "for _, n := range []int{1, 2, 3}[:1] {\n\tif Add(n, 0) != n {\n\t\tt.Error(n)\n\t}\n}"},
		"rows cut off at the front":        {"list := []int{1, 2, 3}\nfor _, n := range list {\n\tif Add(n, 0) != n {\n\t\tt.Error(n)\n\t}\n}", "list := []int{1, 2, 3}\nfor _, n := range list[3:] {\n\tif Add(n, 0) != n {\n\t\tt.Error(n)\n\t}\n}"},
		"rows of a call":                   {"run(t, []point{\n\t{1, 2},\n\t{3, 4},\n})", "run(t, []point{\n\t{1, 2},\n})"},
		"assertion of a suite":             {"s.T()\nassert.Equal(s.T(), 3, Add(1, 2))", "s.T()\nassert.Equal(s.T(), 3, 3)"},
		"call of a helper in another file": {"checkSum(t, Add(1, 2))\ncheckSum(t, Add(3, 4))", "checkSum(t, Add(1, 2))"},
		"recover that nobody looks at":     {checked, "defer func() {\n\trecover()\n}()\n" + checked},
		"select and types":                 {"switch v := any(Add(1, 2)).(type) {\ncase string:\n\tt.Fatal(v)\n}\nselect {\ncase <-done:\ndefault:\n\tt.Fatal(\"late\")\n}", "switch v := any(Add(1, 2)).(type) {\ncase string:\n\tt.Log(v)\n}\nselect {\ncase <-done:\ndefault:\n\tt.Fatal(\"late\")\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			found := Integrity([]Change{edit("it_test.go", body(tc.before), body(tc.before), body(tc.after))}, Allowed{Owns: []string{"**"}})
			if len(of(Critical, found)) != 1 || found[0].File != "it_test.go" || found[0].Line < 5 {
				t.Errorf("got %+v", found)
			}
			back := Integrity([]Change{edit("it_test.go", body(tc.after), body(tc.after), body(tc.before))}, Allowed{Owns: []string{"**"}})
			if len(of(Critical, back)) != 0 {
				t.Errorf("the way back is accused: %+v", back)
			}
		})
	}
}

func TestGoCodeThatStaysAsStrongIsNotAccused(t *testing.T) {
	for name, tc := range map[string]struct{ before, after string }{
		"value that changes in between":   {checked, checked + "\nn := c.n\nc.Add()\nif c.n == n {\n\tt.Error(\"not counted\")\n}"},
		"name that is assigned again":     {checked, checked + "\nold := got\ngot++\nif got != old+1 {\n\tt.Error(got)\n}"},
		"name that a closure assigns":     {checked, checked + "\nold := got\nfunc() { got = Add(5, 6) }()\nif got == old {\n\tt.Error(got)\n}"},
		"name behind a pointer":           {checked, checked + "\nold := got\nbump(&got)\nif got == old {\n\tt.Error(got)\n}"},
		"comparison of what is no number": {checked, checked + "\nif nan := Half(0) / 0; nan == nan {\n\tt.Error(nan)\n}"},
		"recover whose result is kept":    {checked, "var r any\nfunc() {\n\tdefer func() { r = recover() }()\n\tAdd(1, 2)\n}()\nif r != nil {\n\tt.Fatal(r)\n}\n" + checked},
		"closure behind a name":           {checked, "check := func() {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\ncheck()"},
		"loop that runs":                  {checked, "for i := 0; i < 2; i++ {\n\t" + strings.ReplaceAll(checked, "\n", "\n\t") + "\n}"},
		"labels, switches and goroutines": {checked, "loop:\n\tfor {\n\t\tswitch got := Add(1, 2); got {\n\t\tcase 3:\n\t\t\tbreak loop\n\t\tdefault:\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}\n\tgo func() {}()\n" + checked},
		"another library":                 {checked, "qt.Assert(t, qt.Equals(Add(1, 2), 3))"},
		"matchers":                        {checked, "Expect(Add(1, 2)).To(Equal(3))"},
	} {
		t.Run(name, func(t *testing.T) {
			found := Integrity([]Change{edit("it_test.go", body(tc.before), body(tc.before), body(tc.after))}, Allowed{Owns: []string{"**"}})
			if len(found) != 0 {
				t.Errorf("accused %+v", found)
			}
		})
	}
}

func TestDoubtsAreImportant(t *testing.T) {
	for name, tc := range map[string]struct{ before, after, title string }{
		"skip on other machines":       {checked, "if runtime.GOOS == \"plan9\" {\n\tt.Skip()\n}\n" + checked, "skipped on some machines"},
		"skip of slow tests":           {checked, "if testing.Short() {\n\tt.Skip()\n}\n" + checked, "skipped on some machines"},
		"way out under a condition":    {checked, "if !ready() {\n\treturn\n}\n" + checked, "may end before it checks"},
		"check left out of short runs": {checked, "if !testing.Short() {\n" + checked + "\n}", "under a condition only"},
		"longer wait":                  {checked + "\nwait(5 * time.Second)", checked + "\nwait(50 * time.Second)", "waits longer"},
		"other expectation":            {checked, strings.Replace(checked, "!= 3", "!= 4", 1), "expects something else"},
		"the same function, run twice": {checked + "\nif a := Sum(7); a != first {\n\tt.Error(a)\n}", checked + "\nfirst := Sum(7)\nif a := Sum(7); a != first {\n\tt.Error(a)\n}", "cannot fail"},
	} {
		t.Run(name, func(t *testing.T) {
			found := Integrity([]Change{edit("it_test.go", body(tc.before), body(tc.before), body(tc.after))}, Allowed{Owns: []string{"**"}})
			if len(found) != 1 || found[0].Severity != Important || !strings.Contains(found[0].Title, tc.title) {
				t.Errorf("got %+v", found)
			}
		})
	}
}

func TestSuitesAreTests(t *testing.T) {
	suite := "package calc\n\nfunc (s *CalcSuite) TestAdd() {\n\ts.Equal(3, Add(1, 2))\n\ts.Require().Equal(42, Add(20, 22))\n}\n"
	found := Integrity([]Change{edit("s_test.go", suite, "\ts.Require().Equal(42, Add(20, 22))\n", "")}, Allowed{Owns: []string{"**"}})
	if len(found) != 1 || found[0].Line != 3 || !strings.Contains(found[0].Title, "TestAdd was hollowed out") {
		t.Errorf("got %+v", found)
	}
}

func TestOneHelperIsBlamedOnce(t *testing.T) {
	helper := "\nfunc same(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Fatal(got)\n\t}\n}\n"
	tests := "package calc\n\nfunc TestA(t *testing.T) {\n\tsame(t, Add(1, 2), 3)\n}\n\nfunc TestB(t *testing.T) {\n\tsame(t, Add(3, 4), 7)\n}\n"
	found := Integrity([]Change{edit("s_test.go", tests+helper, "\t\tt.Fatal(got)\n", "")}, Allowed{Owns: []string{"**"}})
	if len(found) != 1 || found[0].Severity != Critical {
		t.Errorf("got %+v", found)
	}
}
