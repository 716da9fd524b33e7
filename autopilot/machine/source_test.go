package machine

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/tools/go/packages"
)

// parsed reads the core's own source, tests aside: this package and the one that applies events.
func parsed(t *testing.T) (*token.FileSet, []*packages.Package) {
	t.Helper()
	set := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Fset: set}, ".", "./transition")
	if err != nil || packages.PrintErrors(loaded) > 0 || len(loaded) != 2 {
		t.Fatal(err)
	}
	return set, loaded
}

// sources are the files of both packages.
func sources(t *testing.T) (*token.FileSet, []*ast.File) {
	set, loaded := parsed(t)
	return set, slices.Concat(loaded[0].Syntax, loaded[1].Syntax)
}

// TestCoreImportsNothingThatActs: no clock, no files, no network, no randomness, no logging can come in where nothing
// that has them is imported; time is there for its types.
func TestCoreImportsNothingThatActs(t *testing.T) {
	allowed := []string{"cmp", "crypto/sha256", "encoding/hex", "fmt", "maps", "math", "path", "slices", "strconv", "strings", "time", "github.com/bmatcuk/doublestar/v4", "github.com/looplab/fsm", "autopilot/autopilot/machine"}
	set, files := sources(t)
	for _, f := range files {
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil || !slices.Contains(allowed, path) {
				t.Errorf("%s imports %s", set.Position(spec.Pos()), path)
			}
			if path == "github.com/looplab/fsm" && filepath.Base(set.Position(f.Pos()).Filename) != "fsm.go" {
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
	set, files := sources(t)
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
	set, loaded := parsed(t)
	files, known := slices.Concat(loaded[0].Syntax, loaded[1].Syntax), maps.Clone(loaded[0].TypesInfo.Types)
	maps.Copy(known, loaded[1].TypesInfo.Types)
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
			typ := known[loop.X].Type
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
	set, files := sources(t)
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
