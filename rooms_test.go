package house

import (
	"cmp"
	"go/ast"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// room is how large a package may be: files and lines of it without its tests, files and lines of the largest circle of
// files that name each other's definitions, and methods of the type that has most, those of embedded types counted.
type room struct{ files, lines, circle, circleLines, methods int }

// roomy is the limit of a package that has no row in large.
var roomy = room{files: 45, lines: 5000, circle: 12, circleLines: 1500, methods: 50}

// large are the packages that are above a limit: what they have today. A number here only falls; 0 is that of roomy.
var large = map[string]room{
	"personas/agent":   {circle: 15, circleLines: 2335},
	"personas/command": {circle: 20, circleLines: 2537},
}

// wholeLines is how many lines all Go files but tests have today, for every system and tag. It only falls, unless a named
// feature comes.
const wholeLines = 118935

// slack is how far below its number a size may fall before the number has to follow.
const slack = 200

func TestNoRoomGrows(t *testing.T) {
	for name, r := range measureRooms(t) {
		limit := large[name]
		for _, c := range []struct {
			what            string
			is, most, usual int
		}{
			{"files", r.files, limit.files, roomy.files},
			{"lines", r.lines, limit.lines, roomy.lines},
			{"files in a circle", r.circle, limit.circle, roomy.circle},
			{"lines in a circle", r.circleLines, limit.circleLines, roomy.circleLines},
			{"methods on one type", r.methods, limit.methods, roomy.methods},
		} {
			if most := cmp.Or(c.most, c.usual); c.is > most {
				t.Errorf("%s has %d %s, more than %d", name, c.is, c.what, most)
			}
			if c.most > 0 && c.is <= c.most-max(1, c.most/20) {
				t.Errorf("%s has %d %s by now: lower its number in large, %d", name, c.is, c.what, c.most)
			}
		}
	}
}

func TestTheWholeDoesNotGrow(t *testing.T) {
	n, sizes := countLines(t)
	if n > wholeLines {
		t.Errorf("%d lines, more than %d: something has to go, or a feature is named in the commit that raises wholeLines", n, wholeLines)
	}
	if n < wholeLines-slack {
		t.Errorf("%d lines by now: lower wholeLines", n)
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > 120 {
		t.Errorf("the median file has %d lines, more than 120", median)
	}
}

// countLines counts those of every Go file but tests, and gives the size of each file.
func countLines(t *testing.T) (n int, sizes []int) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && (!strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go")) {
			return err
		}
		if d.IsDir() {
			if name != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
				return fs.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(name)
		lines := strings.Count(string(data), "\n")
		n, sizes = n+lines, append(sizes, lines)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, sizes
}

// measureRooms measures every package, by its path within the module.
func measureRooms(t *testing.T) map[string]room {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "./...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatal(err)
	}
	rooms := map[string]room{}
	for _, p := range loaded {
		if len(p.Syntax) > 0 {
			rooms[strings.TrimPrefix(p.PkgPath, module+"/")] = measureRoom(p)
		}
	}
	return rooms
}

func measureRoom(p *packages.Package) room {
	size := map[string]int{}
	for _, f := range p.Syntax {
		at := p.Fset.Position(f.FileEnd)
		size[at.Filename] = at.Line
	}
	r := room{files: len(size), methods: mostMethods(p.Types)}
	for _, n := range size {
		r.lines += n
	}
	circle := largestCircle(namedBy(p))
	r.circle = len(circle)
	for _, name := range circle {
		r.circleLines += size[name]
	}
	return r
}

func mostMethods(p *types.Package) int {
	most := 0
	for _, name := range p.Scope().Names() {
		if t, is := p.Scope().Lookup(name).(*types.TypeName); is && !types.IsInterface(t.Type()) {
			most = max(most, types.NewMethodSet(types.NewPointer(t.Type())).Len())
		}
	}
	return most
}

// namedBy says for each file which others of its package have the definitions that it names.
func namedBy(p *packages.Package) map[string]map[string]bool {
	fileOf := func(at ast.Node) string { return p.Fset.Position(at.Pos()).Filename }
	names := map[string]map[string]bool{}
	for _, f := range p.Syntax {
		names[fileOf(f)] = map[string]bool{}
	}
	for id, obj := range p.TypesInfo.Uses {
		if obj.Pkg() != p.Types || !isShared(obj) {
			continue
		}
		from, to := fileOf(id), p.Fset.Position(obj.Pos()).Filename
		if from != to && names[from] != nil && names[to] != nil {
			names[from][to] = true
		}
	}
	return names
}

// isShared leaves out what is local to a function: only names of the package and members of its types tie files.
func isShared(obj types.Object) bool {
	switch o := obj.(type) {
	case *types.Var:
		if o.IsField() {
			return true
		}
	case *types.Func:
		if o.Signature().Recv() != nil {
			return true
		}
	}
	return obj.Parent() == obj.Pkg().Scope()
}

// largestCircle is the largest set of files each of which leads to each other one: a strongly connected component, by
// Tarjan's algorithm.
func largestCircle(edges map[string]map[string]bool) (best []string) {
	index, low, on := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(v string)
	visit = func(v string) {
		index[v], low[v] = len(index)+1, len(index)+1
		stack, on[v] = append(stack, v), true
		for w := range edges[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		at := slices.Index(stack, v)
		part := slices.Clone(stack[at:])
		stack = stack[:at]
		for _, w := range part {
			on[w] = false
		}
		if len(part) > max(1, len(best)) {
			best = part
		}
	}
	for _, v := range slices.Sorted(maps.Keys(edges)) {
		if index[v] == 0 {
			visit(v)
		}
	}
	return best
}

func TestTheLargestCircleIsFound(t *testing.T) {
	edges := map[string]map[string]bool{
		"a": {"b": true}, "b": {"c": true}, "c": {"a": true}, // a circle of three
		"d": {"e": true, "a": true}, "e": {"d": true}, // one of two, which leads to it
		"f": {},
	}
	got := largestCircle(edges)
	slices.Sort(got)
	if want := []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := largestCircle(map[string]map[string]bool{"a": {"b": true}, "b": {}}); got != nil {
		t.Errorf("found %q where there is none", got)
	}
}
