package machine

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// parsed reads the package's own source, tests aside.
func parsed(t *testing.T) (*token.FileSet, []*ast.File) {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return set, files
}

// TestCoreImportsNothingThatActs: no clock, no files, no network, no randomness, no logging can come in where nothing
// that has them is imported; time is there for its types.
func TestCoreImportsNothingThatActs(t *testing.T) {
	allowed := []string{"crypto/sha256", "encoding/hex", "fmt", "maps", "math", "path", "slices", "strconv", "strings", "time", "github.com/bmatcuk/doublestar/v4", "github.com/looplab/fsm"}
	set, files := parsed(t)
	for _, f := range files {
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !slices.Contains(allowed, path) {
				t.Errorf("%s imports %s", set.Position(spec.Pos()), path)
			}
			if path == "github.com/looplab/fsm" && set.Position(f.Pos()).Filename != "fsm.go" {
				t.Errorf("%s imports the FSM, which is for the picture", set.Position(spec.Pos()))
			}
		}
	}
}

// TestCoreHasNoClockNoGoroutineAndNoOutput looks at each call and statement.
func TestCoreHasNoClockNoGoroutineAndNoOutput(t *testing.T) {
	forbidden := []string{
		"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.Tick", "time.NewTimer",
		"time.NewTicker", "time.LoadLocation", "fmt.Print", "fmt.Printf", "fmt.Println", "fmt.Scan", "fmt.Scanf", "fmt.Scanln",
	}
	set, files := parsed(t)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
				t.Errorf("%s: a goroutine or a channel", set.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains(forbidden, x.Name+"."+n.Sel.Name) {
					t.Errorf("%s: %s.%s", set.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestCoreNeverRangesOverAMap: the order of a map would show in what comes out.
func TestCoreNeverRangesOverAMap(t *testing.T) {
	set, files := parsed(t)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: importer.ForCompiler(set, "source", nil), Error: func(error) {}}
	_, _ = conf.Check("machine", set, files, info) // the FSM's own source may be out of the importer's reach
	ranges := 0
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if s, ok := call.Fun.(*ast.SelectorExpr); ok && isPackage(s.X, "maps") && s.Sel.Name != "Clone" {
					t.Errorf("%s: maps.%s has no order", set.Position(n.Pos()), s.Sel.Name)
				}
			}
			loop, ok := n.(*ast.RangeStmt)
			if !ok {
				return true
			}
			ranges++
			typ := info.Types[loop.X].Type
			if typ == nil {
				t.Errorf("%s: the type of what is ranged over is not known", set.Position(loop.Pos()))
			} else if _, isMap := typ.Underlying().(*types.Map); isMap {
				t.Errorf("%s: ranges over a map", set.Position(loop.Pos()))
			}
			return true
		})
	}
	if ranges < 20 {
		t.Errorf("only %d loops were looked at", ranges)
	}
}

func isPackage(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// TestEverythingExportedIsDocumented: a doc comment on the declaration, or on its group.
func TestEverythingExportedIsDocumented(t *testing.T) {
	set, files := parsed(t)
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				// Error() says what every Error() says.
				if d.Name.IsExported() && d.Name.Name != "Error" && d.Doc == nil {
					t.Errorf("%s: %s has no doc comment", set.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
						t.Errorf("%s: %s has no doc comment", set.Position(s.Pos()), s.Name.Name)
					}
				}
			}
		}
	}
}

// TestNothingInAStateIsSharedThatApplyChanges: a slice or map of State that Apply may change in place would show in the state it was given.
func TestNothingInAStateIsSharedThatApplyChanges(t *testing.T) {
	s := fresh(Standard, Low)
	s.Tasks = []Task{{ID: "task-001", Attempts: make([]Attempt, 1, 4), Findings: make([]Finding, 1, 4)}}
	s.Phases[0].Dispatches = map[string]int{"planner": 1}
	s.Gate = &Gate{ID: "g1"}
	c := s.clone()
	c.Tasks[0].Status, c.Tasks[0].Attempts[0].Error, c.Tasks[0].Findings[0].Title = TaskFailed, "x", "x"
	c.Tasks[0].Attempts = append(c.Tasks[0].Attempts, Attempt{Error: "y"})
	c.Phases[0].Name, c.Gate.ID = "Z", "g2"
	tally(&c, "planner", 2)
	was := s.Tasks[0]
	if was.Status != "" || was.Attempts[0].Error != "" || was.Findings[0].Title != "" || was.Attempts[:2][1].Error != "" {
		t.Errorf("the task was changed: %+v", was)
	}
	if s.Phases[0].Dispatches["planner"] != 1 || s.Phases[0].Name != "A" || s.Gate.ID != "g1" {
		t.Errorf("the phase or the gate was changed: %+v %+v", s.Phases[0], s.Gate)
	}
}
