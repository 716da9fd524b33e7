package integrity

import (
	"go/ast"
	"slices"
	"strings"
)

var (
	failing = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}
	leading = []string{"Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow", "Goexit", "Exit", "Fatalln", "Panic", "Panicf"}
	// libraries are packages, or values of them, whose exported functions assert.
	libraries = []string{"assert", "require", "is", "qt", "should", "must", "expect", "td"}
	plumbing  = []string{"Run", "T", "SetT", "Require", "Assert", "New", "Parallel", "Helper", "Log", "Logf", "Cleanup", "Name", "TempDir", "Context", "Setenv"}
)

// expression walks e; whole tells that it is a statement by itself.
func (g *goReader) expression(e ast.Expr, sc scope, under string, whole bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			inner := sc.inner()
			inner.leave(n.Body)
			inner.parameters(n.Type)
			inner.inTest = sc.inTest && slices.ContainsFunc(n.Type.Params.List, func(f *ast.Field) bool {
				return len(f.Names) > 0 && inner.testers[f.Names[0].Name]
			})
			g.statements(n.Body.List, inner, "")
			sc.leave(n.Body)
			return false
		case *ast.CallExpr:
			if lastName(n.Fun) == "AfterFunc" && g.late(n, n, sc) {
				return false
			}
			g.call(n, sc, under, whole && n == e)
		case *ast.UnaryExpr:
			sc.leave(n)
		}
		return true
	})
}

// call counts what a call can make fail.
func (g *goReader) call(c *ast.CallExpr, sc scope, under string, whole bool) {
	at := g.line(c.Pos())
	switch {
	case g.failsLost(c, sc):
		g.s.marks[at] |= hollow
	case g.fails(c, sc):
		g.says(at, strings.TrimSpace(under+" "+g.text(c, scope{})))
	case g.asserts(c, sc) && g.checksSetup(c, sc):
		g.readied(at, g.text(c, scope{}))
	case g.asserts(c, sc):
		switch {
		case g.isHollow(c, sc) && g.selfCall(c, sc):
			g.s.marks[at] |= echo
		case g.isHollow(c, sc):
			g.s.marks[at] |= hollow
			return
		}
		g.holdArguments(c, sc)
		g.says(at, g.text(c, scope{}))
	case g.isHanded(c, sc):
		for _, arg := range c.Args {
			if list, known := g.rows(arg, sc); known && composite(list) {
				g.addRows(list, &ast.ExprStmt{X: c})
			}
		}
		if whole && !g.setup {
			g.checked++
			g.s.hands[at] = append(g.s.hands[at], call{lastName(c.Fun), g.text(c, scope{})})
		}
	}
}

func composite(list []ast.Expr) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool {
		if pair, is := e.(*ast.KeyValueExpr); is {
			e = pair.Value
		}
		_, is := e.(*ast.CompositeLit)
		return is
	})
}

func (g *goReader) says(at int, text string) {
	if g.setup {
		g.readied(at, text)
		return
	}
	g.checked++
	g.s.force[at]++
	g.s.says[at] = append(g.s.says[at], text)
}

// fails: t.Error and the like.
func (g *goReader) fails(c *ast.CallExpr, sc scope) bool {
	sel, is := c.Fun.(*ast.SelectorExpr)
	return is && slices.Contains(failing, sel.Sel.Name) && g.isTester(sel.X, sc)
}

// isTester: a *testing.T, by its name or as s.T().
func (g *goReader) isTester(e ast.Expr, sc scope) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return sc.testers[e.Name]
	case *ast.CallExpr:
		return lastName(e.Fun) == "T" && len(e.Args) == 0
	case *ast.SelectorExpr:
		return slices.Contains([]string{"t", "T", "tb"}, e.Sel.Name)
	}
	return false
}

// asserts: a function of an assertion library, or a method of a suite.
func (g *goReader) asserts(c *ast.CallExpr, sc scope) bool {
	fun := c.Fun
	if index, is := fun.(*ast.IndexExpr); is {
		fun = index.X
	}
	sel, is := fun.(*ast.SelectorExpr)
	if !is {
		name := lastName(fun)
		return name == "Expect" || name == "Ω"
	}
	if slices.Contains(plumbing, sel.Sel.Name) || !sel.Sel.IsExported() {
		return false
	}
	switch x := sel.X.(type) {
	case *ast.Ident:
		return slices.Contains(libraries, x.Name) || sc.suite != "" && x.Name == sc.suite && len(c.Args) > 0
	case *ast.CallExpr:
		return slices.Contains([]string{"Require", "Assert"}, lastName(x.Fun))
	}
	return false
}

// isHollow: an assertion over constants, of a value with itself, or on a tester
// that nobody asks whether it failed.
func (g *goReader) isHollow(c *ast.CallExpr, sc scope) bool {
	args := c.Args
	if len(args) > 0 && isNewTester(g.text(args[0], sc)) {
		return true
	}
	if len(args) > 0 && g.isTester(args[0], sc) {
		args = args[1:]
	}
	if len(args) == 0 {
		return false
	}
	name := lastName(c.Fun)
	if g.twins(args, sc) && !strings.Contains(name, "Not") && !g.message(args[1]) {
		return true
	}
	return !slices.ContainsFunc(args, func(e ast.Expr) bool { return !isConstant(g.text(e, sc)) }) && !strings.HasPrefix(name, "Fail")
}

func (g *goReader) message(e ast.Expr) bool {
	return strings.HasPrefix(g.text(e, scope{}), `"`) && strings.Contains(g.text(e, scope{}), " ")
}

// selfCall: the value that is compared with itself is computed twice, so that
// the check is weak and no constant.
func (g *goReader) selfCall(c *ast.CallExpr, sc scope) bool {
	if len(c.Args) > 0 && isNewTester(g.text(c.Args[0], sc)) {
		return false
	}
	return slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return calls(g.text(e, sc)) })
}

// isHanded: a call that gets a tester and may fail it.
func (g *goReader) isHanded(c *ast.CallExpr, sc scope) bool {
	if sel, is := c.Fun.(*ast.SelectorExpr); is && g.isTester(sel.X, sc) {
		return false
	}
	return slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return g.isTester(e, sc) })
}

// mayFail tells whether something below n can fail a test.
func (g *goReader) mayFail(n ast.Node, sc scope) bool {
	inner := sc.inner()
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			inner.parameters(n.Type)
		case *ast.CallExpr:
			found = found || g.fails(n, inner) || g.asserts(n, inner) || g.isHanded(n, inner)
		}
		return !found
	})
	return found
}

// terminates: nothing runs behind the call.
func (g *goReader) terminates(e ast.Expr, sc scope) bool {
	c, is := e.(*ast.CallExpr)
	if !is {
		return false
	}
	sel, is := c.Fun.(*ast.SelectorExpr)
	if !is {
		return lastName(c.Fun) == "panic"
	}
	ofProcess := slices.Contains([]string{"os", "runtime", "log", "syscall"}, lastName(sel.X))
	return slices.Contains(leading, sel.Sel.Name) && (ofProcess || g.isTester(sel.X, sc))
}

// deferred marks a recover whose result nobody looks at: it hides a panic.
func (g *goReader) deferred(st *ast.DeferStmt, sc scope, under string) {
	g.expression(st.Call, sc, under, true)
	f, is := st.Call.Fun.(*ast.FuncLit)
	if !is || g.mayFail(f.Body, sc) {
		return
	}
	recovers, speaks := -1, false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch lastName(n.Fun) {
			case "recover":
				recovers = g.line(n.Pos())
			case "panic":
				speaks = true
			}
		case *ast.AssignStmt:
			// A result that goes into a variable of the test is looked at later.
			speaks = speaks || n.Tok.String() == "=" && lastName(n.Lhs[0]) != "_"
		}
		return true
	})
	if recovers >= 0 && !speaks {
		g.s.marks[recovers] |= hiding
	}
}
