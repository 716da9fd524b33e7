package integrity

import (
	"strings"
	"testing"
)

// goReading compares a test of Go with the body before and behind a change; lines
// are parted by tildes, and what stands behind two of them is beside the test.
func goReading(before, after string) []Finding {
	file := func(text string) string {
		body, beside, _ := strings.Cut(text, "~~")
		return "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\t" + strings.ReplaceAll(body, "~", "\n\t") + "\n}\n" + strings.ReplaceAll(beside, "~", "\n")
	}
	return Integrity([]Change{edit("calc_test.go", file(before), file(before), file(after))}, Allowed{Owns: []string{"**"}})
}

const (
	goChecked = `if got := Add(1, 2); got != 3 {~	t.Errorf("got %d", got)~}`
	goNear    = `if d := math.Abs(Half(3) - 1.5); d > 1e-9 {~	t.Errorf("off by %g", d)~}`
	goHelped  = `equal(t, Add(1, 2), 3)`
	goHelper  = `~~func equal(t *testing.T, got, want int) {~	t.Helper()~	if got != want {~		t.Errorf("got %d", got)~	}~}`
)

func TestWeakerChecksOfGoAreCritical(t *testing.T) {
	within := func(head, end string) string {
		return head + "~	" + strings.ReplaceAll(goChecked, "~", "~	") + "~" + end
	}
	for _, tc := range []struct{ claim, before, after string }{
		{"a tester of its own", goChecked, `var other testing.T~` + strings.ReplaceAll(goChecked, "t.E", "other.E")},
		{"a tester that is new", goChecked, `t = new(testing.T)~` + goChecked},
		{"a tester of another kind", goChecked, `{~	t := &quiet{t}~	` + goChecked + `~}`},
		{"a helper's tester that is new", goHelped, `equal(&testing.T{}, Add(1, 2), 3)`},
		{"an assertion with a tester that is new", `assert.Equal(t, 3, Add(1, 2))`, `tt := &testing.T{}~assert.Equal(tt, 3, Add(1, 2))`},
		{"a goroutine that tells nobody", goChecked, within("done := make(chan bool, 1)~go func() {~	defer func() { done <- true }()", "}()")},
		{"a bound where there was none to pass", `if n := Lost(); n > 0 {~	t.Errorf("%d", n)~}`, `if n := Lost(); n > 50 {~	t.Errorf("%d", n)~}`},
		{"a bound of a library, below", `assert.Greater(t, len(Words()), 500)`, `assert.Greater(t, len(Words()), 5)`},
		{"one of several values more", strings.ReplaceAll(goChecked, "got != 3", "got < 3 || got > 3"), strings.ReplaceAll(goChecked, "got != 3", "(got < 3 || got > 3) && got != 7")},
		{"a function that does not fail", goChecked, `errorf := func(string, ...any) {}~` + strings.ReplaceAll(goChecked, "t.Errorf", "errorf")},
		{"a goroutine", goChecked, within("go func() {", "}()")},
		{"a goroutine, and something else that is closed", goChecked, "f := open(t)~defer f.Close()~" + within("go func() {", "}()")},
		{"a goroutine with a group", goChecked, "var all sync.WaitGroup~all.Add(1)~" + within("go func() {~	defer all.Done()", "}()")},
		{"a goroutine in a cleanup", goChecked, within("t.Cleanup(func() { go func() {", "}() })")},
		{"a timer", goChecked, within("time.AfterFunc(time.Minute, func() {", "})")},
		{"a function that is not called", goChecked, within("check := func() {", "}~_ = check")},
		{"a function that is not called, declared", goChecked, within("var check = func() {", "}~_ = check")},
		{"a condition on the environment", goChecked, within(`if os.Getenv("STRICT") != "" {`, "}")},
		{"a condition on the environment, named", goChecked, `_, strict := os.LookupEnv("STRICT")~` + within(`if strict {`, "}")},
		{"a condition on the kind of run", goChecked, within(`if testing.Verbose() {`, "}")},
		{"a condition on another system", goChecked, within(`if runtime.GOOS == "plan9" {`, "}")},
		{"a way out for want of a setting", goChecked, `if os.Getenv("STRICT") == "" {~	return~}~` + goChecked},
		{"one value more", goChecked, strings.ReplaceAll(goChecked, "got != 3", "got != 3 && got != -1")},
		{"values that are not reached", goChecked, strings.ReplaceAll(goChecked, "got != 3", "got != 3 && got > 100")},
		{"a setting in the condition", goChecked, strings.ReplaceAll(goChecked, "got != 3", `got != 3 && os.Getenv("STRICT") != ""`)},
		{"a wider bound", goNear, strings.ReplaceAll(goNear, "1e-9", "1e9")},
		{"a wider bound, turned", goNear, strings.ReplaceAll(goNear, "d > 1e-9", "!(d <= 1e3)")},
		{"a wider bound, the other way round", strings.ReplaceAll(goNear, "d > 1e-9", "1e-9 < d"), strings.ReplaceAll(goNear, "d > 1e-9", "1e6 < d")},
		{"a wider bound, calculated", goNear, strings.ReplaceAll(goNear, "1e-9", "1e-9*1e12")},
		{"a wider bound, named", goNear, `limit := 1e9~` + strings.ReplaceAll(goNear, "d > 1e-9", "d > limit")},
		{"no bound", goNear, strings.ReplaceAll(goNear, "d > 1e-9", "d > math.MaxFloat64")},
		{"a wider bound of a library", `assert.True(t, math.Abs(Half(3)-1.5) < 1e-9)`, `assert.True(t, math.Abs(Half(3)-1.5) < 1e3)`},
		{"a wider bound of a library's name", `assert.Less(t, Off(3), 0.001)`, `assert.Less(t, Off(3), 100.0)`},
		{"a wider delta, named", `limit := 1e-9~assert.InDelta(t, 1.5, Half(3), limit)`, `limit := 10.0~assert.InDelta(t, 1.5, Half(3), limit)`},
		{"less of it", `if n := len(Words()); n < 500 {~	t.Errorf("%d", n)~}`, `if n := len(Words()); n < 5 {~	t.Errorf("%d", n)~}`},
		{"a helper that speaks", goHelped + goHelper, goHelped + strings.ReplaceAll(goHelper, "Errorf", "Logf")},
		{"a helper that ends", goHelped + goHelper, goHelped + strings.ReplaceAll(goHelper, "t.Helper()", "return")},
		{"a helper that has no tester", goHelped + goHelper, goHelped + strings.ReplaceAll(goHelper, "t.Helper()", "t = &testing.T{}")},
		{"a helper that skips", goHelped + goHelper, goHelped + strings.ReplaceAll(goHelper, "t.Errorf(", "t.Skipf(")},
		{"a helper with a comparison that holds", goHelped + goHelper, goHelped + strings.ReplaceAll(goHelper, "got != want", "want != want")},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			found := goReading(tc.before, tc.after)
			if critical := of(Critical, found); len(critical) == 0 || critical[0].Line == 0 {
				t.Errorf("%q became %q: %+v", tc.before, tc.after, found)
			}
		})
	}
}

func TestChecksOfGoThatKeepTheirForceAreNotAccused(t *testing.T) {
	for _, tc := range []struct{ claim, before, after string }{
		{"a narrower bound", strings.ReplaceAll(goNear, "1e-9", "1e-3"), goNear},
		{"a place made ready by the tester", `dir, err := os.MkdirTemp("", "a")~require.NoError(t, err)~assert.Nil(t, os.Chdir(dir))~` + goChecked, `t.Chdir(t.TempDir())~` + goChecked},
		{"a bound that is doubled", `if n := len(Words()); n > 10 {~	t.Errorf("%d", n)~}`, `if n := len(Words()); n > 10 {~	t.Errorf("%d words", n)~}`},
		{"more patience", `if d := elapsed.Seconds(); d > 1 {~	t.Logf("%v", d)~}~` + goChecked, `if d := elapsed.Seconds(); d > 100 {~	t.Logf("%v", d)~}~` + goChecked},
		{"a server that is closed", goChecked, "s := listen(t)~go func() {~	if err := s.Serve(); err != nil {~		t.Error(err)~	}~	" + goChecked + "~}()~s.Close()"},
		{"a channel that a helper reads", goChecked, `sums := make(chan int)~go func() {~	sums <- Add(1, 2)~	` + goChecked + `~}()~for range sums {~	break~}`},
		{"a bound with a name", goNear, `const limit = 1e-9~` + strings.ReplaceAll(goNear, "d > 1e-9", "d > limit")},
		{"a goroutine that is waited for", goChecked, `done := make(chan bool)~go func() {~	defer close(done)~	` + goChecked + `~}()~<-done`},
		{"a function that is called", goChecked, `check := func() {~	` + goChecked + `~}~check()`},
		{"a function that is given away", goChecked, `check := func(t *testing.T) {~	` + goChecked + `~}~t.Run("adds", check)`},
		{"another name of the tester", goChecked, `tb := t~` + strings.ReplaceAll(goChecked, "t.E", "tb.E")},
		{
			"a case that may fail",
			`for _, tc := range []struct{ s string }{{"a"}} {~	if err := Parse(tc.s); err != nil {~		t.Error(err)~	}~}`,
			`for _, tc := range []struct{ s string; bad bool }{{"a", false}, {"b", true}} {~	if err := Parse(tc.s); err != nil && !tc.bad {~		t.Error(err)~	}~	if err := Parse(tc.s); err == nil && tc.bad {~		t.Error("no error")~	}~}`,
		},
		{"a check on this system only", goChecked, goChecked + `~if runtime.GOOS != "windows" {~	if err := Link(); err != nil {~		t.Error(err)~	}~}`},
		{"a check of each element", `got := Words()~if len(got) != 2 || got[0] != "a" || got[1] != "b" {~	t.Error(got)~}`, `got := Words()~if !slices.Equal(got, []string{"a", "b"}) {~	t.Error(got)~}`},
	} {
		t.Run(tc.claim, func(t *testing.T) {
			for _, f := range goReading(strings.ReplaceAll(tc.before, "2 ~~ got[0]", "2 OR got[0]"), tc.after) {
				t.Errorf("%q became %q: %+v", tc.before, tc.after, f)
			}
		})
	}
}

func TestAnElementInAnotherPlaceIsAnotherExpectation(t *testing.T) {
	before := strings.ReplaceAll(goTest, `got := Add(1, 2); got != 3`, `got := Words(); len(got) != 2 || got[0] != "a" || got[1] != "b"`)
	for list, accused := range map[string]bool{`"a", "b"`: false, `"b", "a"`: true, `"a"`: true, `"a", "c"`: true} {
		found := Integrity([]Change{edit("calc_test.go", before, `len(got) != 2 || got[0] != "a" || got[1] != "b"`, `!slices.Equal(got, []string{`+list+`})`)}, Allowed{Owns: []string{"**"}})
		if (len(found) > 0) != accused {
			t.Errorf("%s: %+v", list, found)
		}
	}
}
