package proof

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Mutant is a source file with one small change, which a test should notice.
type Mutant struct {
	Path   string
	Line   int
	What   string // such as "a < b became a >= b"
	Source []byte
}

// Mutants are those of a file of Go, in the order of its lines; only these lines are changed. Other files, and those that are
// generated, have none.
func Mutants(path string, source []byte, lines map[int]bool) []Mutant {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return nil
	}
	var list []Mutant
	text := func(n ast.Node) string {
		return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		if loop, is := n.(*ast.ForStmt); is { // one that never ends may use up the memory before its time is over
			if loop.Post != nil {
				ast.Inspect(loop.Body, visit)
			}
			return false
		}
		for _, e := range editsOf(n, text) {
			if at := set.Position(e.of.Pos()); lines[at.Line] {
				mutated := slices.Concat(source[:at.Offset], []byte(e.by), source[set.Position(e.of.End()).Offset:])
				list = append(list, Mutant{Path: path, Line: at.Line, What: e.what, Source: mutated})
			}
		}
		return true
	}
	ast.Inspect(file, visit)
	slices.SortStableFunc(list, func(a, b Mutant) int { return a.Line - b.Line })
	return list
}

// edit is what stands in place of a part of the source.
type edit struct {
	of       ast.Node
	by, what string
}

// flipped are the comparisons that hold where another one does not.
var flipped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// editsOf are those of a part of the source, without the parts in it.
func editsOf(n ast.Node, text func(ast.Node) string) []edit {
	becomes := func(of ast.Node, by string) []edit {
		return []edit{{of, by, firstLine(text(of)) + " became " + firstLine(by)}}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if by, is := flipped[n.Op]; is {
			return becomes(n, text(n.X)+" "+by.String()+" "+text(n.Y))
		}
	case *ast.IfStmt:
		if b, is := n.Cond.(*ast.BinaryExpr); !is || flipped[b.Op] == 0 {
			return becomes(n.Cond, "!("+text(n.Cond)+")")
		}
	case *ast.BasicLit:
		// One such as 0o644 is a set of bits.
		if value, err := strconv.ParseInt(n.Value, 10, 64); err == nil && n.Kind == token.INT && (value == 0 || n.Value[0] != '0') {
			return becomes(n, strconv.FormatInt(value+1, 10))
		}
	case *ast.Ident:
		if by := map[string]string{"true": "false", "false": "true"}[n.Name]; by != "" {
			return becomes(n, by)
		}
	case *ast.BlockStmt:
		return dropped(n.List, text)
	case *ast.CaseClause:
		return dropped(n.Body, text)
	}
	return nil
}

// dropped are the calls and assignments of a list. They stay in the text, since Go wants what is there to be used.
func dropped(list []ast.Stmt, text func(ast.Node) string) (edits []edit) {
	for _, s := range list {
		assign, assigns := s.(*ast.AssignStmt)
		if _, calls := s.(*ast.ExprStmt); calls || assigns && assign.Tok == token.ASSIGN {
			edits = append(edits, edit{s, "if false { " + text(s) + " }", firstLine(text(s)) + " was dropped"})
		}
	}
	return edits
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " …"
	}
	return line
}

// newLines are the numbers of the lines of a file that were not in it before.
func newLines(before, now []byte) map[int]bool {
	had := map[string]bool{}
	for line := range bytes.Lines(before) {
		had[string(bytes.TrimSpace(line))] = true
	}
	lines, n := map[int]bool{}, 0
	for line := range bytes.Lines(now) {
		n++
		lines[n] = !had[string(bytes.TrimSpace(line))]
	}
	return lines
}
