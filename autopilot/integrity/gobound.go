package integrity

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
)

// bound is a number that a check of Go holds a value to.
type bound struct {
	subject string  // what must not pass it, and on which side
	limit   float64 // a larger one lets more pass; a lower bound is negated
	in      int     // the line of the check
	at      int     // the line that the number stands in
}

// calculation is an expression of numbers alone.
var calculation = lazily(`^[\d.eExXa-fA-F_+\-*/() ]+$`)

// boundless are bounds that nothing passes.
var boundless = lazily(`^math\.(?:MaxFloat(?:32|64)|MaxU?[iI]nt\d*|Inf\(\+?1\))$`)

// patient are words of what takes time. More patience is a doubt only; see waits.
var patient = lazily(`(?i)second|elapsed|since|took|duration|time|wait|latency`)

// declareNumbers remembers constants of the package, for bounds that they name.
func (g *goReader) declareNumbers(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		v, is := spec.(*ast.ValueSpec)
		if !is || decl.Tok != token.CONST || len(v.Names) != len(v.Values) {
			continue
		}
		for i, name := range v.Names {
			if calculation.MatchString(g.text(v.Values[i], scope{})) {
				g.numbers[name.Name] = v.Values[i]
			}
		}
	}
}

// hold notes the bounds of a condition under which a test fails; where it is
// turned it fails where the condition does not hold.
func (g *goReader) hold(cond ast.Expr, sc scope, turned bool) {
	switch e := cond.(type) {
	case *ast.ParenExpr:
		g.hold(e.X, sc, turned)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			g.hold(e.X, sc, !turned)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			g.hold(e.X, sc, turned)
			g.hold(e.Y, sc, turned)
		case token.GTR, token.GEQ:
			g.holdTo(e.X, e.Y, sc, !turned)
			g.holdTo(e.Y, e.X, sc, turned)
		case token.LSS, token.LEQ:
			g.holdTo(e.X, e.Y, sc, turned)
			g.holdTo(e.Y, e.X, sc, !turned)
		}
	}
}

// holdTo notes that a value must not be above a limit, or not below it.
func (g *goReader) holdTo(value, limit ast.Expr, sc scope, above bool) {
	subject := g.text(value, scope{})
	n, at, known := g.numberOf(limit, sc)
	if _, _, constant := g.numberOf(value, sc); !known || constant || patient.MatchString(subject) {
		return
	}
	side := " above"
	if !above {
		n, side = -n, " below"
	}
	g.s.bounds = append(g.s.bounds, bound{subject + side, n, g.line(limit.Pos()), at})
}

// numberOf evaluates an expression of numbers, and tells the line where it is written.
func (g *goReader) numberOf(e ast.Expr, sc scope) (n float64, at int, known bool) {
	at = g.line(e.Pos())
	text := g.text(e, sc)
	if name, is := e.(*ast.Ident); is {
		if sc.origins[name.Name] != 0 {
			at = g.line(sc.origins[name.Name])
		}
		if value := g.numbers[name.Name]; value != nil && sc.values[name.Name] == "" {
			at, text = g.line(value.Pos()), g.text(value, scope{})
		}
	}
	if boundless.MatchString(text) {
		return math.MaxFloat64, at, true
	}
	if !calculation.MatchString(text) {
		return 0, 0, false
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil || tv.Value == nil || tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Float {
		return 0, 0, false
	}
	n, _ = constant.Float64Val(tv.Value)
	return n, at, true
}

// holdArguments notes the bounds of an assertion of a library.
func (g *goReader) holdArguments(c *ast.CallExpr, sc scope) {
	args := c.Args
	if len(args) > 0 && g.isTester(args[0], sc) {
		args = args[1:]
	}
	name := strings.TrimSuffix(lastName(c.Fun), "f")
	switch {
	case len(args) > 0 && (name == "True" || name == "False"):
		g.hold(args[0], sc, name == "True")
	case len(args) > 1 && slices.Contains([]string{"Less", "LessOrEqual"}, name):
		g.holdTo(args[0], args[1], sc, true)
	case len(args) > 1 && slices.Contains([]string{"Greater", "GreaterOrEqual"}, name):
		g.holdTo(args[0], args[1], sc, false)
	case len(args) > 2 && slices.Contains([]string{"InDelta", "InEpsilon"}, name):
		g.holdTo(args[1], args[2], sc, true)
	}
}

// boundsOf are those of a function.
func boundsOf(f function) []bound {
	var found []bound
	for _, b := range f.src.bounds {
		if f.from <= b.in && b.in < f.to {
			found = append(found, b)
		}
	}
	return found
}

// unbounded finds a bound of a check that became another order of magnitude. A
// lesser change is another expected value.
func (d *testDiff) unbounded(p pair) (Finding, bool) {
	had := map[string][]float64{}
	for _, b := range boundsOf(p.before) {
		had[b.subject] = append(had[b.subject], b.limit)
	}
	for _, b := range boundsOf(p.after) {
		old := had[b.subject]
		if len(old) == 0 {
			continue
		}
		had[b.subject] = old[1:]
		if farther(old[0], b.limit) {
			return p.at(Critical, b.at, "test "+p.after.name+" tolerates more",
				fmt.Sprintf("%q had a far narrower bound.", strings.TrimSpace(p.after.src.lines[b.in]))), true
		}
	}
	return Finding{}, false
}

// magnitude is how many times a bound grows before it is another one altogether.
const magnitude = 10

// farther tells whether a bound lets far more pass. One that was nothing, or on
// the other side of nothing, has to become a large number for that.
func farther(old, now float64) bool {
	if now <= old {
		return false
	}
	if old*now > 0 {
		return max(math.Abs(old), math.Abs(now)) > magnitude*min(math.Abs(old), math.Abs(now))
	}
	return now-old >= magnitude
}
