package integrity

import (
	"go/ast"
	"go/token"
	"strings"
)

// readying are functions by which tests make the place that they run in. Whether
// these work is no check of the code under test: t.TempDir takes their place
// without loss.
var readying = map[string]*wordSet{
	"os":       setOf("MkdirTemp Mkdir MkdirAll CreateTemp WriteFile RemoveAll Setenv Unsetenv Chdir Chmod Symlink Getwd Executable"),
	"ioutil":   setOf("TempDir TempFile WriteFile"),
	"filepath": setOf("Abs EvalSymlinks"),
}

// readies tells whether e calls one of them.
func readies(e ast.Expr) bool {
	c, is := e.(*ast.CallExpr)
	if !is {
		return false
	}
	sel, is := c.Fun.(*ast.SelectorExpr)
	if !is {
		return false
	}
	set, known := readying[lastName(sel.X)]
	return known && set.has(sel.Sel.Name)
}

// note remembers names of errors that come from such a call.
func (sc scope) note(st *ast.AssignStmt) {
	last := lastName(st.Lhs[len(st.Lhs)-1])
	delete(sc.ready, last)
	if len(st.Rhs) == 1 && readies(st.Rhs[0]) && strings.HasPrefix(strings.ToLower(last), "err") {
		sc.ready[last] = true
	}
}

// isSetup: a condition that asks no more than whether such a call worked.
func (sc scope) isSetup(cond ast.Expr) bool {
	e, is := cond.(*ast.BinaryExpr)
	return is && e.Op == token.NEQ && lastName(e.Y) == "nil" && sc.isReady(e.X)
}

func (sc scope) isReady(e ast.Expr) bool { return readies(e) || sc.ready[lastName(e)] }

// checksSetup: require.NoError, or Nil, of such a call.
func (g *goReader) checksSetup(c *ast.CallExpr, sc scope) bool {
	if name := strings.TrimSuffix(lastName(c.Fun), "f"); name != "NoError" && name != "Nil" {
		return false
	}
	for _, e := range c.Args[:min(2, len(c.Args))] {
		if sc.isReady(e) {
			return true
		}
	}
	return false
}

// readied keeps what a check of such a call says, by which a test that was
// renamed is known again.
func (g *goReader) readied(at int, text string) {
	if g.s.readied == nil {
		g.s.readied = map[int][]string{}
	}
	g.s.readied[at] = append(g.s.readied[at], text)
}
