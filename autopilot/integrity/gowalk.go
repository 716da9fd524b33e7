package integrity

import (
	"go/ast"
	"go/token"
)

// statements walks a block; under is the condition that it stands under. It
// tells whether the block always ends the function, or the round of the loop.
// What stands behind that is reached by no run.
func (g *goReader) statements(list []ast.Stmt, sc scope, under string) bool {
	for i, st := range list {
		g.guardRest(st, list[i+1:], sc)
		if g.statement(st, sc, under) {
			if i+1 < len(list) {
				g.dead(list[i+1].Pos(), list[len(list)-1].End())
			}
			return true
		}
	}
	return false
}

// dead takes the lines of what no run reaches out of the source. A line that
// other code shares stays.
func (g *goReader) dead(from, to token.Pos) {
	first, last := g.line(from), g.line(to)
	if first <= last {
		g.blank = append(g.blank, [2]int{first, last})
	}
}

// deadBody keeps the lines of the braces.
func (g *goReader) deadBody(b *ast.BlockStmt) {
	if first, last := g.line(b.Lbrace)+1, g.line(b.Rbrace)-1; first <= last {
		g.blank = append(g.blank, [2]int{first, last})
	}
}

func (g *goReader) statement(st ast.Stmt, sc scope, under string) (ends bool) {
	switch st := st.(type) {
	case *ast.IfStmt:
		return g.ifStatement(st, sc, under)
	case *ast.ForStmt:
		g.loop(st, sc, under)
	case *ast.RangeStmt:
		g.rangeLoop(st, sc, under)
	case *ast.SwitchStmt:
		g.clauses(st.Body, st.Init, st.Tag, sc, under)
	case *ast.TypeSwitchStmt:
		g.clauses(st.Body, st.Init, nil, sc, under)
	case *ast.SelectStmt:
		g.clauses(st.Body, nil, nil, sc, under)
	case *ast.BlockStmt:
		ends = g.statements(st.List, sc.inner(), under)
		sc.leave(st)
	case *ast.LabeledStmt:
		return g.statement(st.Stmt, sc, under)
	case *ast.ExprStmt:
		g.expression(st.X, sc, under, true)
		return g.terminates(st.X, sc)
	case *ast.AssignStmt:
		g.assign(st, sc, under)
	case *ast.DeclStmt:
		g.declare(st, sc, under)
	case *ast.DeferStmt:
		g.deferred(st, sc, under)
	case *ast.GoStmt:
		if !g.late(st, st.Call, sc) {
			g.expression(st.Call, sc, under, true)
		}
	case *ast.ReturnStmt:
		for _, e := range st.Results {
			g.expression(e, sc, under, false)
		}
		return true
	case *ast.BranchStmt:
		return true
	case *ast.IncDecStmt:
		sc.forget(st.X)
	}
	return ends
}

func (g *goReader) ifStatement(st *ast.IfStmt, sc scope, under string) (ends bool) {
	inner := sc.inner()
	said := "if "
	if st.Init != nil {
		g.statement(st.Init, inner, under)
		said += g.text(st.Init, scope{}) + "; "
	}
	g.expression(st.Cond, inner, under, false)
	said += g.text(st.Cond, scope{})
	value, known := g.truth(st.Cond, inner)
	if known && !value {
		if g.mayFail(st.Body, inner) {
			g.s.marks[g.line(st.Pos())] |= hollow
		}
		g.deadBody(st.Body)
	} else {
		if g.same(st.Cond, inner) && g.mayFail(st.Body, inner) {
			g.s.marks[g.line(st.Pos())] |= echo
		}
		if g.mayFail(st.Body, inner) {
			g.hold(st.Cond, inner, false)
			g.guard(st, inner)
		}
		was := g.setup
		g.setup = was || inner.isSetup(st.Cond)
		ends = g.statements(st.Body.List, inner.inner(), said)
		g.setup = was
	}
	if !known && sc.inTest && st.Else == nil && leaves(st.Body) {
		g.s.marks[g.line(st.Body.List[0].Pos())] |= leaving
	}
	otherEnds := false
	if st.Else != nil {
		if body, is := st.Else.(*ast.BlockStmt); is && known && value {
			g.deadBody(body)
		} else {
			otherEnds = g.statement(st.Else, inner, said+" else")
		}
	}
	sc.leave(st)
	switch {
	case known && value:
		return ends
	case known:
		return otherEnds
	}
	return ends && otherEnds
}

// leaves: the body does nothing but return, or go on with the next case.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) != 1 {
		return false
	}
	switch st := b.List[0].(type) {
	case *ast.ReturnStmt:
		return len(st.Results) == 0
	case *ast.BranchStmt:
		return st.Tok == token.CONTINUE
	}
	return false
}

func (g *goReader) loop(st *ast.ForStmt, sc scope, under string) {
	inner := sc.inner()
	if st.Init != nil {
		g.statement(st.Init, inner, under)
	}
	if st.Cond != nil {
		if value, known := g.truth(st.Cond, inner); known && !value {
			g.hollowLoop(st, st.Body, inner)
			return
		}
	}
	inner.leave(st)
	if st.Cond != nil {
		g.expression(st.Cond, inner, under, false)
	}
	g.statements(st.Body.List, inner, under)
	sc.leave(st)
}

// hollowLoop: a loop that never runs.
func (g *goReader) hollowLoop(st ast.Stmt, body *ast.BlockStmt, sc scope) {
	if g.mayFail(body, sc) {
		g.s.marks[g.line(st.Pos())] |= hollow
	}
	g.deadBody(body)
}

func (g *goReader) rangeLoop(st *ast.RangeStmt, sc scope, under string) {
	inner := sc.inner()
	list, known := g.rows(st.X, inner)
	if zero := g.text(st.X, inner); known && len(list) == 0 || zero == "0" {
		g.hollowLoop(st, st.Body, inner)
		return
	}
	g.expression(st.X, inner, under, false)
	inner.leave(st)
	for _, e := range []ast.Expr{st.Key, st.Value} {
		if e != nil {
			inner.forget(e)
		}
	}
	before := g.checked
	if cut, is := st.X.(*ast.SliceExpr); is && known && g.mayFail(st.Body, inner) {
		if all, _ := g.rows(cut.X, sc); len(list) < len(all) {
			g.s.marks[g.line(st.Pos())] |= hollow
		}
	}
	g.statements(st.Body.List, inner, under)
	if known && g.checked > before {
		g.addRows(list, st)
	}
	sc.leave(st)
}

func (g *goReader) clauses(body *ast.BlockStmt, init ast.Stmt, tag ast.Expr, sc scope, under string) {
	inner := sc.inner()
	if init != nil {
		g.statement(init, inner, under)
	}
	said := under
	if tag != nil {
		g.expression(tag, inner, under, false)
		said = "switch " + g.text(tag, scope{})
	}
	for _, st := range body.List {
		switch c := st.(type) {
		case *ast.CaseClause:
			g.clause(c, tag, inner, said)
		case *ast.CommClause:
			g.statements(c.Body, inner.inner(), under)
		}
	}
	sc.leave(body)
}

func (g *goReader) clause(c *ast.CaseClause, tag ast.Expr, sc scope, said string) {
	never := tag == nil && len(c.List) > 0
	for _, e := range c.List {
		g.expression(e, sc, said, false)
		said += " case " + g.text(e, scope{})
		value, known := g.truth(e, sc)
		never = never && known && !value
	}
	if never && len(c.Body) > 0 {
		g.s.marks[g.line(c.Pos())] |= hollow
		g.dead(c.Body[0].Pos(), c.Body[len(c.Body)-1].End())
		return
	}
	g.statements(c.Body, sc.inner(), said)
}
