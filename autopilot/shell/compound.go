package shell

import "mvdan.cc/sh/v3/syntax"

// command is a program with its words, or what is made of several; nil is nothing but redirections.
func (r *outcomeReader) command(c syntax.Command, piped bool) outcome {
	switch c := c.(type) {
	case nil:
		return well
	case *syntax.CallExpr:
		return r.simple(c, piped)
	case *syntax.BinaryCmd:
		return r.binary(c, piped)
	case *syntax.Subshell:
		return r.list(c.Stmts).within()
	case *syntax.Block:
		return r.list(c.Stmts)
	case *syntax.IfClause:
		return r.condition(c)
	case *syntax.CaseClause:
		return r.choice(c)
	case *syntax.ForClause:
		return r.loop(c)
	case *syntax.WhileClause:
		r.list(c.Cond)
		r.list(c.Do)
		return anything // it may go on until the time is up
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return r.statement(c.Stmt, piped)
		}
	case *syntax.DeclClause:
		return r.declaration(c)
	case *syntax.TestClause, *syntax.ArithmCmd:
		return either
	}
	r.lost = true // functions, and what only some shells know
	return anything
}

// condition is an if, an elif, or the else of one.
func (r *outcomeReader) condition(c *syntax.IfClause) outcome {
	if len(c.Cond) == 0 {
		return r.list(c.Then)
	}
	asked, yes, no := r.list(c.Cond), r.list(c.Then), well
	if c.Else != nil {
		no = r.condition(c.Else)
	}
	o := asked & (endsWell | endsBadly)
	if asked&well != 0 {
		o |= yes
	}
	if asked&badly != 0 {
		o |= no
	}
	return o
}

// choice is a case: where none of its patterns is met, all is well.
func (r *outcomeReader) choice(c *syntax.CaseClause) outcome {
	r.see(tokenOf(c.Word))
	o := well
	for _, item := range c.Items {
		for _, pattern := range tokensOf(item.Patterns) {
			r.see(pattern)
		}
		o |= r.list(item.Stmts)
	}
	return o
}

// loop is a for: with nothing to go over, all is well.
func (r *outcomeReader) loop(c *syntax.ForClause) outcome {
	over, words := c.Loop.(*syntax.WordIter)
	if !words || c.Select {
		r.lost = true
		return anything
	}
	for _, item := range tokensOf(over.Items) {
		r.see(item)
	}
	return well | r.list(c.Do)
}

// declaration is an export, or what makes a variable one that ends a shell which changes it.
func (r *outcomeReader) declaration(c *syntax.DeclClause) outcome {
	for _, a := range c.Args {
		r.assigned(a)
	}
	if c.Variant.Value == "export" {
		return either
	}
	return anything
}

// assigned takes in a variable's value.
func (r *outcomeReader) assigned(a *syntax.Assign) token {
	r.lost = r.lost || a.Append || a.Index != nil || a.Array != nil // which not all shells know
	return r.see(tokenOf(a.Value))
}
