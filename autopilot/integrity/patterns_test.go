package integrity

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

func TestPatternsBelongToALanguage(t *testing.T) {
	var known []string
	for _, l := range languages() {
		known = append(known, l.name)
	}
	seen := map[kind][]string{}
	for _, p := range patterns {
		if !slices.Contains(known, p.language) {
			t.Errorf("a row of %q, which is no language", p.language)
		}
		if slices.Contains(seen[p.kind], p.language) {
			t.Errorf("%s has two rows of one kind; the second would be the only one: %s", p.language, p.text)
		}
		seen[p.kind] = append(seen[p.kind], p.language)
	}
	for _, k := range []kind{asserts, argued, pins, loosens, tolerates, skips, exits} {
		if len(seen[k]) != len(known) {
			t.Errorf("kind %d has rows of %q only", k, seen[k])
		}
	}
}

// What makes patterns fast must not make them miss anything.
func TestNeededTextsStandInEachMatch(t *testing.T) {
	names, _ := filepath.Glob("testdata/*/*.txtar")
	matches, passed := 0, 0
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			for text := range strings.Lines(string(f.Data)) {
				for _, p := range patterns {
					e := compiledRow(p)
					switch is := e.re.MatchString(text); {
					case is && !e.possible(text):
						t.Errorf("%q matches %q without a needed text", text, p.text)
					case is:
						matches++
					case !e.possible(text):
						passed++
					}
				}
			}
		}
	}
	if matches < 100 || passed < 10*matches {
		t.Errorf("%d matches, and %d lines that need no pattern", matches, passed)
	}
}

func compiledRow(p pattern) *expression {
	for i := range languages() {
		if l := &languages()[i]; l.name == p.language {
			return l.is(p.kind)
		}
	}
	return nil
}

func TestLinesOfEachKindAreTold(t *testing.T) {
	for _, tc := range []struct {
		language string
		kind     kind
		yes, no  string
	}{
		{"Python", exits, "    sys.exit(0)", "    sys.exit(1)"},
		{"Python", exits, "    os._exit(0)", "    stack.exit()"},
		{"Python", skips, "    pytest.skip('x')", "    skipped = 1"},
		{"Python", perhapsDrops, "def pytest_collection_modifyitems(items):", "def pytest_configure(config):"},
		{"Python", detects, "if os.environ.get('PYTEST_CURRENT_TEST'):", "if os.environ.get('HOME'):"},
		{"Python", silences, "# ruff: noqa", "import x  # noqa: F401"},
		{"Python", frees, "    assert add(1, 2) == mock.ANY", "    assert add(1, 2) == COMPANY"},
		{"Python", depends, "    if os.environ.get('X'):", "    if environment:"},
		{"Python", inverts, "    with pytest.raises(AssertionError):", "    with pytest.raises(ValueError):"},
		{"Python", stubs, "unittest.TestCase.assertEqual = lambda *a: None", "    self.assertEqual(a, b == c)"},
		{"Python", rebinds, "del test_add", "    return test_add"},
		{"Python", tolerates, "    eps = 1e-9", "    nextafter(1, 2, steps=3)"},
		{"JavaScript", skips, "test('adds', { skip: true }, () => {", "test('pages', () => page({ skip: 2 }))"},
		{"JavaScript", skips, "test('adds', { todo: 'later' }, () => {", "test('adds', { skip: false }, () => {"},
		{"JavaScript", frees, "expect(add(1, 2)).toEqual(expect.anything())", "expect(add(1, 2)).toEqual({ id: expect.any(Number), sum: 3 })"},
		{"JavaScript", unheard, "expect(load()).resolves.toBe(3)", "await expect(load()).resolves.toBe(3)"},
		{"JavaScript", undoes, "it('adds', function* () {", "const all = function* () {"},
		{"JavaScript", stubs, "assert.strictEqual = () => {}", "const assert = require('node:assert')"},
		{"JavaScript", aside, "setTimeout(() => {", "await timeout(10)"},
		{"Rust", inverts, "#[should_panic]", "#[should_use]"},
		{"Rust", stubs, "macro_rules! assert_eq {", "macro_rules! point {"},
		{"Java and Kotlin", stubs, "private static void assertEquals(Object a, Object b) { }", "private static void assertSum(int a, int b) {"},
		{"Java and Kotlin", depends, "if (System.getenv(\"X\") != null) {", "if (calc.ready()) {"},
		{"JavaScript", exits, "process.exit(0)", "process.exit(1)"},
		{"JavaScript", drops, "globalThis.expect = () => {}", "const test = base.extend({})"},
		{"JavaScript", detects, "if (process.env.JEST_WORKER_ID) {", "if (process.env.PORT) {"},
		{"JavaScript", perhapsDetects, "if (process.env.NODE_ENV !== 'test') {", "if (process.env.NODE_ENV !== 'production') {"},
		{"JavaScript", silences, "/* eslint-disable */", "// eslint-disable-next-line no-undef"},
		{"Rust", exits, "std::process::exit(0);", "std::process::exit(1);"},
		{"Rust", silences, "#![allow(warnings)]", "#[allow(unused_mut)]"},
		{"Java and Kotlin", exits, "System.exit(0);", "System.exit(1);"},
		{"Java and Kotlin", detects, `if (Class.forName("org.junit.jupiter.api.Test") != null) {`, `Class.forName("org.postgresql.Driver")`},
		{"Java and Kotlin", waits, "@Timeout(30)", "@Test"},
		{"Ruby", skips, "  skip 'later'", "  skipped = 1"},
		{"Ruby", exits, "exit 0", "exit 1"},
		{"Go", detects, `if strings.HasSuffix(os.Args[0], ".test") {`, `if strings.HasSuffix(os.Args[0], ".exe") {`},
		{"Go", drops, `flag.Set("test.run", "TestA")`, `flag.Set("v", "1")`},
		{"Go", silences, "//nolint", "//nolint:errcheck // the file is gone"},
	} {
		e := compiledRow(pattern{language: tc.language, kind: tc.kind})
		if !e.match(tc.yes) || e.match(tc.no) {
			t.Errorf("%s, kind %d: %q %v, %q %v", tc.language, tc.kind, tc.yes, e.match(tc.yes), tc.no, e.match(tc.no))
		}
	}
}
