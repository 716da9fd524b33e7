package integrity

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// goReader reads a Go test file by its syntax: what is a test, what can fail in
// it, and what no run reaches.
type goReader struct {
	s       *source
	fset    *token.FileSet
	content []byte
	tables  map[string][]ast.Expr // the rows of package-level tables
	numbers map[string]ast.Expr   // package-level constants that are numbers
	body    *ast.BlockStmt        // of the function that is read
	setup   bool                  // what is read asks whether the place was made ready
	blank   [][2]int              // lines that no run reaches
	checked int                   // what was found so far that can fail
}

// readGo fills s; it is false, and s as it was, where the file does not parse.
func readGo(s *source, content []byte) bool {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	g := &goReader{s: s, fset: fset, content: content, tables: map[string][]ast.Expr{}, numbers: map[string]ast.Expr{}}
	for _, d := range file.Decls {
		if decl, is := d.(*ast.GenDecl); is {
			g.declareTables(decl, g.tables)
			g.declareNumbers(decl)
		}
	}
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
			g.function(f)
		}
	}
	for _, lines := range g.blank {
		for i := lines[0]; i <= lines[1]; i++ {
			s.lines[i] = ""
		}
	}
	return true
}

// line is the index of a position in the lines of the source.
func (g *goReader) line(p token.Pos) int {
	return min(g.fset.PositionFor(p, false).Line-1, len(g.s.lines)-1)
}

func (g *goReader) function(f *ast.FuncDecl) {
	sc := scope{values: map[string]string{}, origins: map[string]token.Pos{}, tables: maps.Clone(g.tables), testers: map[string]bool{}, ready: map[string]bool{}, inTest: true}
	sc.parameters(f.Type)
	found := function{name: f.Name.Name, src: g.s, head: g.line(f.Pos()), to: g.line(f.End()) + 1}
	found.test = isRunByGo(f) && strings.HasSuffix(g.s.path, "_test.go")
	found.tester = !found.test && len(sc.testers) > 0
	found.answers = f.Type.Results != nil
	found.compares, found.agrees = comparison(f)
	found.from = found.head
	g.body = f.Body
	if found.test && f.Recv != nil && len(f.Recv.List[0].Names) > 0 {
		sc.suite = f.Recv.List[0].Names[0].Name
	}
	g.s.functions = append(g.s.functions, found)
	g.statements(f.Body.List, sc, "")
}

// isRunByGo takes what go test runs, and methods of a suite.
func isRunByGo(f *ast.FuncDecl) bool {
	for _, prefix := range []string{"Test", "Fuzz", "Example", "Benchmark"} {
		rest, is := strings.CutPrefix(f.Name.Name, prefix)
		if !is || f.Name.Name == "TestMain" || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
			continue
		}
		return f.Recv == nil || prefix == "Test" && f.Type.Params.NumFields() == 0
	}
	return false
}

// scope is what is known at a place of a function.
type scope struct {
	values  map[string]string     // what a name stands for
	origins map[string]token.Pos  // where the value of a name was computed
	tables  map[string][]ast.Expr // rows of the tables that names stand for
	testers map[string]bool       // names of a *testing.T and the like
	ready   map[string]bool       // names of errors from making ready
	suite   string                // the receiver whose methods assert
	inTest  bool                  // in the body of the test, and not in a function that something else calls
}

func (sc scope) inner() scope {
	sc.origins, sc.ready = maps.Clone(sc.origins), maps.Clone(sc.ready)
	sc.values, sc.tables, sc.testers = maps.Clone(sc.values), maps.Clone(sc.tables), maps.Clone(sc.testers)
	return sc
}

// leave forgets what the statements of an inner scope may have assigned.
func (sc scope) leave(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				sc.forget(n.Lhs...)
			}
		case *ast.IncDecStmt:
			sc.forget(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				sc.forget(n.X)
			}
		}
		return true
	})
}

func (sc scope) forget(names ...ast.Expr) {
	for _, e := range names {
		if name, is := e.(*ast.Ident); is {
			delete(sc.values, name.Name)
			delete(sc.tables, name.Name)
			delete(sc.origins, name.Name)
			delete(sc.ready, name.Name)
		}
	}
}

// testerTypes are testing.T and its like.
var testerTypes = []string{"T", "B", "F", "TB", "TestingT", "TestingTB", "C"}

func (sc scope) parameters(f *ast.FuncType) {
	for _, field := range f.Params.List {
		typ := field.Type
		if star, is := typ.(*ast.StarExpr); is {
			typ = star.X
		}
		for _, name := range field.Names {
			sc.forget(name)
			if slices.Contains(testerTypes, lastName(typ)) {
				sc.testers[name.Name] = true
			}
		}
	}
}

// lastName is x of x and of y.x.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		return lastName(e.X)
	}
	return ""
}

// text is the source of a node with names as their values, without spaces more
// than needed.
func (g *goReader) text(n ast.Node, sc scope) string {
	from := g.fset.PositionFor(n.Pos(), false).Offset
	src := string(g.content[from:g.fset.PositionFor(n.End(), false).Offset])
	var out strings.Builder
	at := 0
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(x ast.Node) bool {
				at = g.substitute(&out, src, x, at, from, sc)
				return true
			})
			return false
		case *ast.KeyValueExpr, *ast.FuncLit:
			return false
		}
		at = g.substitute(&out, src, n, at, from, sc)
		return true
	})
	out.WriteString(src[at:])
	return strings.Join(strings.Fields(out.String()), " ")
}

func (g *goReader) substitute(out *strings.Builder, src string, n ast.Node, at, from int, sc scope) int {
	name, is := n.(*ast.Ident)
	if !is || sc.values[name.Name] == "" {
		return at
	}
	begin := g.fset.PositionFor(name.Pos(), false).Offset - from
	if begin < at {
		return at
	}
	out.WriteString(src[at:begin])
	out.WriteString(sc.values[name.Name])
	return begin + len(name.Name)
}
