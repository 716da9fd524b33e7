package integrity

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// isLost: a tester that nobody asks whether it failed: a new one, or one of the
// test's own making under the tester's name.
func (g *goReader) isLost(e ast.Expr, sc scope) bool {
	if and, is := e.(*ast.UnaryExpr); is && and.Op == token.AND {
		e = and.X
	}
	return isNewTester(g.text(e, sc))
}

// failsLost: the call would fail a tester, and fails a lost one.
func (g *goReader) failsLost(c *ast.CallExpr, sc scope) bool {
	if sel, is := c.Fun.(*ast.SelectorExpr); is && slices.Contains(failing, sel.Sel.Name) && g.isTester(sel.X, sc) {
		return g.isLost(sel.X, sc)
	}
	return g.isHanded(c, sc) && slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return g.isLost(e, sc) })
}

// makesTester: a composite value, which under the name of a tester takes its place.
func makesTester(e ast.Expr) bool {
	if and, is := e.(*ast.UnaryExpr); is && and.Op == token.AND {
		e = and.X
	}
	_, is := e.(*ast.CompositeLit)
	return is
}

// waiting are names of functions that wait for what runs beside a test; stopping
// are those that end something that it uses.
var (
	waiting  = lazily(`(?i)wait|sleep|join|eventually`)
	stopping = lazily(`(?i)close|stop|shutdown|quit|finish|drain|settle|collect|cancel`)
)

// isLate tells whether n runs beside the test, or later, and nothing in the
// function waits for it: what it checks may come too late to count.
func (g *goReader) isLate(n ast.Node) bool {
	shared, used := signals(n), identifiers(n)
	waits := false
	ast.Inspect(g.body, func(other ast.Node) bool {
		switch other := other.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if other == n {
				return false
			}
			name := lastName(other.Fun)
			waits = waits || waiting.MatchString(name) || stopping.MatchString(name) && endsUsed(other, used) ||
				slices.ContainsFunc(other.Args, func(e ast.Expr) bool { return shared[lastName(e)] })
		case *ast.UnaryExpr:
			waits = waits || other.Op == token.ARROW
		case *ast.RangeStmt:
			waits = waits || shared[lastName(other.X)]
		case *ast.SelectStmt:
			waits = true
		}
		return !waits
	})
	return !waits
}

// identifiers are the names in n.
func identifiers(n ast.Node) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is {
			found[name.Name] = true
		}
		return true
	})
	return found
}

// endsUsed: the call is of a method of something used, or is given it.
func endsUsed(c *ast.CallExpr, used map[string]bool) bool {
	if sel, is := c.Fun.(*ast.SelectorExpr); is && used[lastName(sel.X)] {
		return true
	}
	name, plain := c.Fun.(*ast.Ident)
	return plain && used[name.Name] || slices.ContainsFunc(c.Args, func(e ast.Expr) bool { return used[lastName(e)] && lastName(e) != "t" })
}

// signals are the channels and groups by which n tells that it is done.
func signals(n ast.Node) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			found[lastName(n.Chan)] = true
		case *ast.CallExpr:
			if sel, is := n.Fun.(*ast.SelectorExpr); is && sel.Sel.Name == "Done" {
				found[lastName(sel.X)] = true
			}
		}
		return true
	})
	delete(found, "")
	return found
}

// late takes the checks out of a call that is late.
func (g *goReader) late(n ast.Node, c *ast.CallExpr, sc scope) bool {
	if !g.mayFail(c, sc) || !g.isLate(n) {
		return false
	}
	g.s.marks[g.line(n.Pos())] |= hollow
	for _, e := range append([]ast.Expr{c.Fun}, c.Args...) {
		if f, is := e.(*ast.FuncLit); is {
			g.deadBody(f.Body)
		}
	}
	return true
}

// isUsed tells whether a function of a test is called, or given to somebody, by
// the name that it has.
func (g *goReader) isUsed(name *ast.Ident) bool {
	used := false
	ast.Inspect(g.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return !(len(n.Lhs) == 1 && lastName(n.Lhs[0]) == "_" && lastName(n.Rhs[0]) == name.Name)
		case *ast.Ident:
			used = used || n != name && n.Name == name.Name
		}
		return !used
	})
	return used
}

var (
	comparing = lazily(`(?i)equal|same|match|near|close|contain|alike|diff|compare|valid|correct|eq$`)
	standIn   = lazily(`(?i)^(?:fake|stub|mock|dummy|noop)`)
)

// comparison tells whether f answers if what it gets is right, and whether it
// answers all the same. Methods of stand-ins may well do so.
func comparison(f *ast.FuncDecl) (compares, agrees bool) {
	r := f.Type.Results
	if r == nil || len(r.List) != 1 || len(r.List[0].Names) > 1 || f.Type.Params.NumFields() == 0 || standIn.MatchString(f.Name.Name) {
		return false, false
	}
	named := comparing.MatchString(f.Name.Name)
	if answer := lastName(r.List[0].Type); !named && (answer != "bool" || f.Recv != nil || f.Type.Params.NumFields() < 2) {
		return false, false
	}
	if len(f.Body.List) != 1 {
		return true, false
	}
	answer, is := f.Body.List[0].(*ast.ReturnStmt)
	if !is || len(answer.Results) != 1 {
		return true, false
	}
	switch e := answer.Results[0].(type) {
	case *ast.BasicLit:
		return true, true
	case *ast.Ident:
		return true, slices.Contains(strings.Fields("true false nil"), e.Name)
	}
	return true, false
}
