package integrity

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// language is how files with tests, and the tests in them, look in one language. A
// new language is a row more, and rows of patterns.
type language struct {
	name  string
	exts  []string
	files []string     // doublestar patterns of test files
	marks *lazyPattern // a line before a test function that makes it one; nil where its name does

	test     *lazyPattern // head of a test; the first group that matched is its name
	function *lazyPattern // head of any function; likewise
	comment  string       // begins a comment that ends with the line
	raw      []string     // quotes of strings over several lines
	idle     []string     // doublestar patterns of files that are passed over when tests are run

	rows *rows // of the table of patterns
}

// languages is built when a diff is first read: its patterns would cost each
// start of the program, and of every supervisor, a millisecond.
var languages = sync.OnceValue(func() []language {
	all := []language{
		{
			name: "Go", exts: []string{".go"}, files: []string{"**/*_test.go"},
			test:     lazily(`^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`),
			function: lazily(`^func (?:\([^)]*\) )?(\w+)[\[(]`),
			comment:  "//", raw: []string{"`"},
			idle: []string{"**/{testdata,vendor}/**", "**/{_,.}*"},
		},
		{
			name: "Python", exts: []string{".py"}, files: []string{"**/test_*.py", "**/*_test.py", "**/tests.py", "**/conftest.py"},
			test:     lazily(`^\s*(?:async )?def (test\w*)\(`),
			function: lazily(`^\s*(?:async )?def (\w+)\(`),
			comment:  "#", raw: []string{`"""`, "'''"},
		},
		{
			name: "JavaScript", exts: []string{".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte"},
			files:    []string{"**/*.{test,spec}.*", "**/*_test.*", "**/__tests__/**", "{**/,}{test,tests}/**"},
			test:     lazily("^\\s*(?:(?:x|f)?(?:it|test)(?:\\.\\w+)*(?:\\([^'\"`]*\\))?|[\\])]+)\\(\\s*(?:'([^']+)'|\"([^\"]+)\"|`([^`]+)`)"),
			function: lazily(`^\s*(?:export )?(?:async )?function (\w+)|^\s*(?:export )?const (\w+) = (?:async )?(?:\([^)]*\)|\w+) =>`),
			comment:  "//", raw: []string{"`"},
		},
		{
			name: "Rust", exts: []string{".rs"}, files: []string{"**/*.rs"},
			marks:    lazily(`^\s*#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b`),
			test:     lazily(`^\s*(?:pub )?(?:async )?fn (\w+)`),
			function: lazily(`^\s*(?:pub(?:\([^)]*\))? )?(?:async )?fn (\w+)`),
			comment:  "//",
		},
		{
			name: "Java and Kotlin", exts: []string{".java", ".kt", ".kts", ".groovy", ".scala"},
			files:    []string{"{**/,}src/{test,*Test}/**", "**/*{Test,Tests,IT,Spec}.*", "**/Test*.java"},
			marks:    lazily(`^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b`),
			test:     lazily("^\\s*(?:@\\w+(?:\\([^)]*\\))? )*(?:\\w+ )*?(?:(?:void|fun) )(?:(\\w+)|`([^`]+)`)\\s*\\("),
			function: lazily("^\\s*(?:\\w+ )*(?:void|fun|static \\w+|private \\w+) (\\w+)\\s*\\("),
			comment:  "//", raw: []string{`"""`},
		},
		{
			name: "Ruby", exts: []string{".rb"}, files: []string{"**/*_{spec,test}.rb", "**/test_*.rb"},
			test:     lazily(`^\s*def (test_\w+)|^\s*x?(?:it|specify|test|scenario) (?:'([^']+)'|"([^"]+)")`),
			function: lazily(`^\s*def (\w+)`),
			comment:  "#",
		},
	}
	compiled := compile()
	for i := range all {
		all[i].rows = compiled[all[i].name]
	}
	return all
})

// languageOf gives nil for a language without a row.
func languageOf(p string) *language {
	for i, l := range languages() {
		if slices.Contains(l.exts, strings.ToLower(path.Ext(p))) {
			return &languages()[i]
		}
	}
	return nil
}

// holdsTests tells whether the tests of p count. In Rust every file may have some.
func (l *language) holdsTests(p string) bool {
	return slices.Contains(l.exts, strings.ToLower(path.Ext(p))) && matchesGlobs(l.files, p) && !matchesGlobs(l.idle, p)
}

// otherTests are test files of languages without a row.
var otherTests = []string{
	"{**/,}{test,tests,spec,specs,__tests__}/**/*.{c,cc,cpp,cs,php,swift,ex,exs,erl,hs,clj,lua,sh,bats,dart,jl,r,R,ml,zig}",
	"**/*.{bats,feature}", "**/*{Test,Tests,Spec}.{cs,php,swift,dart}", "**/*_test.{c,cc,cpp,exs,dart,zig,sh}", "**/*_{spec,test}.lua",
}

// isTestFile goes by the path alone, so in Rust it takes only the tests folder.
func isTestFile(p string) bool {
	l := languageOf(p)
	switch {
	case l == nil:
		return matchesGlobs(otherTests, p)
	case l.name == "Rust":
		return strings.HasPrefix(p, "tests/") || strings.Contains(p, "/tests/") || path.Base(p) == "tests.rs"
	}
	return l.holdsTests(p)
}

func matchesGlobs(globs []string, p string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, _ := doublestar.Match(g, p)
		return ok
	})
}
