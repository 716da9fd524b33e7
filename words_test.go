package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// avoided are words that readers of these texts stumbled over, and what to say.
var avoided = map[string]string{
	"anew": "again, or start over", "in spite of": "despite", "mend": "fix", "furnish": "give", "see to": "check",
	"look whether": "check that", "held against": "compared with", "hold against": "compare with", "whoever": "anyone who", "sign of life": "output, or renewal",
}

// forAgents are folders whose texts are prompts, or those of older programs.
var forAgents = regexp.MustCompile(`^(personas|sessions/hooks|sessions/legacy)/`)

// TestTextsForPeopleAvoidWords reads the documentation, and the sentences in the source.
func TestTextsForPeopleAvoidWords(t *testing.T) {
	var words []string
	for word := range avoided {
		words = append(words, word)
	}
	bad := regexp.MustCompile(`(?i)\b(` + strings.Join(words, "|") + `)\b`)
	look := func(place, text string) {
		for _, word := range bad.FindAllString(text, -1) {
			t.Errorf("%s: %q: say %s", place, word, avoided[strings.ToLower(word)])
		}
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no page was found", err)
	}
	for _, page := range append(pages, "README.md", "CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		look(page, string(text))
	}
	for file, text := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") || forAgents.MatchString(file) {
			continue
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, " ") {
				text, _ := strconv.Unquote(lit.Value) // the parser took it
				look(fset.Position(lit.Pos()).String(), text)
			}
			return true
		})
	}
}
