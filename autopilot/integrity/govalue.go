package integrity

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// assign walks both sides and remembers what names stand for.
func (g *goReader) assign(st *ast.AssignStmt, sc scope, under string) {
	for i, e := range st.Rhs {
		if f, is := e.(*ast.FuncLit); is && len(st.Lhs) == len(st.Rhs) {
			name, plain := st.Lhs[i].(*ast.Ident)
			if plain && name.Name == "_" {
				g.dead(e.Pos(), e.End())
				continue
			}
			if plain && st.Tok == token.DEFINE && !g.isUsed(name) {
				g.deadBody(f.Body)
				continue
			}
		}
		g.expression(e, sc, under, false)
	}
	for _, e := range st.Lhs {
		if _, plain := e.(*ast.Ident); !plain {
			g.expression(e, sc, under, false)
		}
	}
	if len(st.Lhs) != len(st.Rhs) || st.Tok != token.ASSIGN && st.Tok != token.DEFINE {
		sc.forget(st.Lhs...)
		sc.note(st)
		if len(st.Rhs) == 1 && asksSurroundings.MatchString(g.text(st.Rhs[0], scope{})) {
			sc.values[lastName(st.Lhs[len(st.Lhs)-1])] = g.text(st.Rhs[0], scope{})
		}
		return
	}
	defer sc.note(st)
	for i, e := range st.Lhs {
		if name, is := e.(*ast.Ident); is {
			g.bind(name.Name, st.Rhs[i], sc)
		}
	}
}

func (g *goReader) bind(name string, value ast.Expr, sc scope) {
	text := g.text(value, sc)
	if call, is := value.(*ast.CallExpr); is && lastName(call.Fun) == "Diff" && g.twins(call.Args, sc) {
		text = emptyDiff
	}
	list, known := g.rows(value, sc)
	origin := value.Pos()
	if from, is := value.(*ast.Ident); is {
		origin = sc.origins[from.Name]
	}
	delete(sc.values, name)
	delete(sc.tables, name)
	sc.origins[name] = origin
	if known {
		sc.tables[name] = list
	}
	if _, is := value.(*ast.FuncLit); !is && !known && len(text) < 200 {
		sc.values[name] = text
	}
	if g.isTester(value, sc) && !sc.testers[name] {
		sc.testers[name] = true
	}
	if isNewTester(text) || sc.testers[name] && makesTester(value) {
		sc.values[name] = lostTester
	}
}

// emptyDiff is what a comparison of a value with itself gives; Diff(…) != "" is
// then one with itself as well.
const emptyDiff = `""`

// lostTester stands for a *testing.T of which nobody reads whether it failed.
const lostTester = "&testing.T{}"

func isNewTester(text string) bool {
	return text == lostTester || text == "new(testing.T)" || text == "testing.T{}"
}

func (g *goReader) declare(st *ast.DeclStmt, sc scope, under string) {
	decl, is := st.Decl.(*ast.GenDecl)
	if !is {
		return
	}
	for _, spec := range decl.Specs {
		v, is := spec.(*ast.ValueSpec)
		if !is {
			continue
		}
		for i, name := range v.Names {
			sc.forget(name)
			if f, is := valueAt(v, i).(*ast.FuncLit); is && !g.isUsed(name) {
				g.deadBody(f.Body)
				continue
			}
			if i < len(v.Values) {
				g.expression(v.Values[i], sc, under, false)
				g.bind(name.Name, v.Values[i], sc)
			}
		}
	}
}

func valueAt(v *ast.ValueSpec, i int) ast.Expr {
	if i < len(v.Values) {
		return v.Values[i]
	}
	return nil
}

// declareTables remembers the tables of package-level variables.
func (g *goReader) declareTables(decl *ast.GenDecl, tables map[string][]ast.Expr) {
	for _, spec := range decl.Specs {
		v, is := spec.(*ast.ValueSpec)
		if !is || len(v.Names) != len(v.Values) {
			continue
		}
		for i, name := range v.Names {
			if list, known := g.rows(v.Values[i], scope{}); known {
				tables[name.Name] = list
			}
		}
	}
}

// rows gives the elements of a list or map that is written out.
func (g *goReader) rows(e ast.Expr, sc scope) (list []ast.Expr, known bool) {
	switch e := e.(type) {
	case *ast.Ident:
		list, known = sc.tables[e.Name]
	case *ast.ParenExpr:
		return g.rows(e.X, sc)
	case *ast.SliceExpr:
		list, known = g.rows(e.X, sc)
		if n, is := number(e.High); known && is {
			list = list[:min(n, len(list))]
		}
		if n, is := number(e.Low); known && is {
			list = list[min(n, len(list)):]
		}
	case *ast.CompositeLit:
		switch e.Type.(type) {
		case *ast.ArrayType, *ast.MapType:
			return e.Elts, true
		}
	}
	return list, known
}

func number(e ast.Expr) (int, bool) {
	lit, is := e.(*ast.BasicLit)
	if !is || lit.Kind != token.INT || len(lit.Value) > 6 {
		return 0, false
	}
	n := 0
	for _, digit := range lit.Value {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		n = n*10 + int(digit-'0')
	}
	return n, true
}

// addRows counts the rows of a table that a loop checks: each at its own line if
// that is in the same function, else at the loop.
func (g *goReader) addRows(list []ast.Expr, loop ast.Stmt) {
	for _, e := range list {
		at := g.line(e.Pos())
		if f := g.s.functions[len(g.s.functions)-1]; at < f.from || at >= f.to {
			at = g.line(loop.Pos())
		}
		g.s.force[at]++
		g.s.says[at] = append(g.s.says[at], g.text(e, scope{}))
	}
}

// truth evaluates a condition as far as that can be told without running it.
func (g *goReader) truth(e ast.Expr, sc scope) (value, known bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return g.truth(e.X, sc)
	case *ast.Ident:
		text := g.text(e, sc)
		return text == "true", text == "true" || text == "false"
	case *ast.UnaryExpr:
		value, known = g.truth(e.X, sc)
		return !value, known && e.Op == token.NOT
	case *ast.CallExpr:
		equal := slices.Contains(equalities, lastName(e.Fun)) && len(e.Args) >= 2 && g.written(e.Args[0], e.Args[1], sc)
		return equal, equal
	case *ast.BinaryExpr:
		return g.binaryTruth(e, sc)
	}
	return false, false
}

func (g *goReader) binaryTruth(e *ast.BinaryExpr, sc scope) (value, known bool) {
	if e.Op == token.LAND || e.Op == token.LOR {
		x, knownX := g.truth(e.X, sc)
		y, knownY := g.truth(e.Y, sc)
		decides := e.Op == token.LOR
		if knownX && x == decides || knownY && y == decides {
			return decides, true
		}
		return !decides, knownX && knownY
	}
	x, y := g.text(e.X, sc), g.text(e.Y, sc)
	equal := x == y
	written := g.written(e.X, e.Y, sc)
	if !written && !(isConstant(x) && isConstant(y)) {
		return false, false
	}
	switch e.Op {
	case token.EQL:
		return equal, true
	case token.NEQ:
		return !equal, true
	case token.LEQ, token.GEQ:
		return true, equal
	case token.LSS, token.GTR:
		return false, equal
	}
	return false, false
}

// isConstant takes numbers, texts and truth values.
func isConstant(text string) bool {
	return text != "" && (slices.Contains(fixed[:5], text) || literal.ReplaceAllString(text, "") == "")
}

// calls tells whether an expression asks what may answer otherwise the next time.
func calls(text string) bool {
	return strings.ContainsAny(inQuotes.ReplaceAllString(text, ""), "(<")
}

// repeats: a call with arguments, which gives the same again, most likely. A
// count() before and one after what is tested do not.
var repeats = lazily(`\([^)]|^[^(]*$`)

// written tells whether two values are one: a name and itself, or what was made
// equal to it.
func (g *goReader) written(x, y ast.Expr, sc scope) bool {
	if origin := sc.origins[lastName(x)]; origin != 0 && origin == sc.origins[lastName(y)] && !isSelector(x) && !isSelector(y) {
		return true
	}
	text := g.text(x, scope{})
	return text == g.text(y, scope{}) && !calls(text)
}

func isSelector(e ast.Expr) bool {
	_, plain := e.(*ast.Ident)
	return !plain
}

// twins tells whether the first two values are the same, as they are written.
func (g *goReader) twins(args []ast.Expr, sc scope) bool {
	if len(args) < 2 {
		return false
	}
	x := g.text(args[0], sc)
	return x == g.text(args[1], sc) && repeats.MatchString(x)
}

var equalities = []string{"DeepEqual", "Equal", "EqualFold", "Diff"}

// same tells whether a condition compares a value with itself, be it one that is
// computed twice.
func (g *goReader) same(e ast.Expr, sc scope) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || (n.Op == token.NEQ || n.Op == token.EQL) && g.twins([]ast.Expr{n.X, n.Y}, sc)
		case *ast.CallExpr:
			found = found || slices.Contains(equalities, lastName(n.Fun)) && g.twins(n.Args, sc)
		}
		return !found
	})
	return found
}
