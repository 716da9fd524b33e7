package integrity

import (
	"fmt"
	"go/ast"
	"go/token"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

const (
	// surrounded marks a check of Go that is made under a condition on the
	// surroundings only.
	surrounded mark = 1 << 15
	// slow marks one that is left out where short runs are asked for: a doubt only.
	slow mark = 1 << 14
)

// asksSurroundings are calls that tell where and how tests are run.
var asksSurroundings = lazily(`\bos\.(?:Getenv|LookupEnv|Environ|Args)\b|\bsyscall\.Getenv\(|\btesting\.(?:Short|Verbose|CoverMode)\(|\bflag\.\w+\(`)

// depends tells whether a condition asks for the surroundings of the run, or for
// a system that is not this one.
func (g *goReader) depends(cond ast.Expr, sc scope) bool {
	if asksSurroundings.MatchString(g.text(cond, sc)) {
		return true
	}
	elsewhere := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if e, is := n.(*ast.BinaryExpr); is {
			here := map[string]string{"runtime.GOOS": runtime.GOOS, "runtime.GOARCH": runtime.GOARCH}[g.text(e.X, scope{})]
			named, err := strconv.Unquote(g.text(e.Y, scope{}))
			elsewhere = elsewhere || here != "" && err == nil && (e.Op == token.EQL) != (here == named)
		}
		return !elsewhere
	})
	return elsewhere
}

// guard marks the checks that are made under such a condition only.
func (g *goReader) guard(st *ast.IfStmt, sc scope) {
	if !g.depends(st.Cond, sc) || st.Else != nil && g.mayFail(st.Else, sc) {
		return
	}
	g.guardLines(st.Body.Lbrace, st.Body.Rbrace, st.Cond, "!testing.Short()")
}

// guardLines marks lines that a condition decides over.
func (g *goReader) guardLines(from, to token.Pos, cond ast.Expr, short string) {
	m := surrounded
	if g.text(cond, scope{}) == short {
		m |= slow
	}
	for i := g.line(from); i <= g.line(to); i++ {
		g.s.marks[i] |= m
	}
}

// guardRest marks what stands behind a way out under such a condition.
func (g *goReader) guardRest(st ast.Stmt, rest []ast.Stmt, sc scope) {
	if out, is := st.(*ast.IfStmt); is && len(rest) > 0 && out.Else == nil && leaves(out.Body) && g.depends(out.Cond, sc) {
		g.guardLines(rest[0].Pos(), rest[len(rest)-1].End(), out.Cond, "testing.Short()")
	}
}

// conditioned finds a check of Go that stood free and is made under such a
// condition now.
func (d *testDiff) conditioned(p pair) (Finding, bool) {
	free := map[string]int{}
	for _, f := range d.olds.reached(p.before) {
		for i := f.from; i < f.to; i++ {
			for _, text := range f.src.says[i] {
				if f.src.marks[i]&surrounded == 0 {
					free[text]++
				}
			}
		}
	}
	within := map[place]string{}
	for _, f := range d.helpers.reached(p.after) {
		for i := f.from; i < f.to; i++ {
			for _, text := range f.src.says[i] {
				if f.src.marks[i]&surrounded == 0 {
					free[text]--
				} else if text != "" {
					within[place{f.src, i}] = text
				}
			}
		}
	}
	for i := p.after.from; i < p.after.to; i++ {
		if text := within[place{p.after.src, i}]; free[text] > 0 {
			severity := Critical
			if p.after.src.marks[i]&slow != 0 {
				severity = Important
			}
			return p.at(severity, i, "test "+p.after.name+" checks under a condition only",
				fmt.Sprintf("%q stood free, and stands behind a condition now that need not hold.", text)), true
		}
	}
	return Finding{}, false
}

var (
	conditional = lazily(`^if (?:(.*); )?(.*) \w+\.(?:Errorf?|Fatalf?|Fail|FailNow)\(`)
	excused     = lazily(`^([A-Za-z_]\w*)(?:\.\w+)* ?(?:[!=<>]=?) ?(?:-?\d[\w.]*|"[^"]*")$`)
)

// narrowed finds a check that fails only where something more holds than before:
// that the value is not another one either, or that a setting is there.
func (d *testDiff) narrowed(p pair) (Finding, bool) {
	if d.l.name != "Go" {
		return Finding{}, false
	}
	before, after := d.says(d.olds, p.before), d.says(d.helpers, p.after)
	gone := lacking(after, before)
	for i := p.after.from; i < p.after.to && len(gone) > 0; i++ {
		for _, text := range lacking(before, p.after.src.says[i]) {
			for _, old := range gone {
				if isExcused(old, text) {
					return p.at(Critical, i, "test "+p.after.name+" was weakened",
						fmt.Sprintf("It checked %q and checks only %q.", old, text)), true
				}
			}
		}
	}
	return Finding{}, false
}

func isExcused(old, text string) bool {
	was, now := conditional.FindStringSubmatch(old), conditional.FindStringSubmatch(text)
	if was == nil || now == nil {
		return false
	}
	parts, had := conjuncts(now[2]), conjuncts(was[2])
	if len(parts) <= len(had) || slices.ContainsFunc(had, func(part string) bool { return !slices.Contains(parts, part) }) {
		return false
	}
	return slices.ContainsFunc(parts, func(part string) bool {
		m := excused.FindStringSubmatch(part)
		return !slices.Contains(had, part) && (asksSurroundings.MatchString(part) ||
			m != nil && slices.ContainsFunc(had, func(old string) bool { return strings.HasPrefix(old, m[1]+" ") }))
	})
}

// conjuncts are the parts of a condition that all have to hold.
func conjuncts(cond string) []string {
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(cond); i++ {
		switch {
		case cond[i] == '"' || cond[i] == '\'' || cond[i] == '`':
			i += max(0, quoted(cond[i:])-1)
		case strings.IndexByte("([{", cond[i]) >= 0:
			depth++
		case strings.IndexByte(")]}", cond[i]) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(cond[i:], "||"):
			return []string{strings.TrimSpace(cond)}
		case depth == 0 && strings.HasPrefix(cond[i:], "&&"):
			parts = append(parts, unwrapped(cond[from:i]))
			from = i + 2
		}
	}
	return append(parts, unwrapped(cond[from:]))
}

// unwrapped is a part without the brackets around the whole of it.
func unwrapped(part string) string {
	part = strings.TrimSpace(part)
	if strings.HasPrefix(part, "(") && untilClosed(part[1:]) == strings.TrimSuffix(part[1:], ")") {
		return strings.TrimSpace(part[1 : len(part)-1])
	}
	return part
}
