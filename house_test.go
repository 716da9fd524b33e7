// Package house holds tests of the source itself: which package may import which, what stays out of the core, and how
// large a file or a function may be.
package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "autopilot"

// layers says which packages of this module each folder may import: "sessions/..." is sessions and all below it. A folder that
// is not here has no place yet.
var layers = map[string][]string{
	"spec":                        {"spec/markdown"},
	"spec/markdown":               {},
	"spec/plan":                   {"spec", "spec/markdown"},
	"config":                      {"autopilot/words"},
	"examples":                    {},
	"autopilot/machine":           {},
	"autopilot/git":               {"autopilot/git/disk", "autopilot/git/gitdir", "autopilot/plainfile", "autopilot/tail"},
	"autopilot/git/disk":          {"autopilot/plainfile"},
	"autopilot/git/gitdir":        {"autopilot/plainfile"},
	"autopilot/git/unified":       {},
	"autopilot/git/refs":          {"autopilot/git", "autopilot/git/gitdir", "autopilot/plainfile"},
	"autopilot/steering":          {"autopilot/git", "autopilot/git/gitdir", "autopilot/lazyregexp", "autopilot/plainfile"},
	"autopilot/process":           {"autopilot/process/supervise"},
	"autopilot/process/supervise": {}, // it is to be ready before the libraries
	"autopilot/project":           {"autopilot/git", "autopilot/halt", "autopilot/jsonedit", "autopilot/plainfile", "autopilot/shell", "autopilot/words"},
	"autopilot/plainfile":         {},
	"autopilot/shell":             {},
	"autopilot/jsonedit":          {},
	"autopilot/tail":              {},
	"autopilot/validate":          {"autopilot/validate/results", "autopilot/process", "autopilot/plainfile", "autopilot/project", "autopilot/shell", "autopilot/tail"},
	"autopilot/validate/results":  {"autopilot/plainfile", "autopilot/project", "autopilot/shell"},
	"autopilot/integrity":         {},
	"sessions/storage":            {"autopilot/plainfile"},
	"sessions/format":             {"autopilot/machine"},
	"sessions/legacy":             {"sessions/format", "sessions/storage", "autopilot/machine", "autopilot/jsonedit", "autopilot/words"},
	"sessions":                    {"sessions/view", "autopilot/machine", "autopilot/machine/transition", "autopilot/jsonedit", "autopilot/plainfile", "sessions/format", "sessions/legacy", "sessions/learnings", "sessions/storage", "sessions/taskfile", "autopilot/words"},
	"sessions/learnings":          {"autopilot/plainfile", "sessions/storage", "autopilot/words"},
	"sessions/audit":              {"sessions", "sessions/format", "sessions/storage", "autopilot/machine", "autopilot/words"},
	"sessions/notify":             {"autopilot/machine", "autopilot/plainfile", "autopilot/process", "autopilot/shell", "autopilot/tail", "autopilot/words"},
	"sessions/atwork":             {"autopilot/journal", "autopilot/words", "sessions/view"},
	"sessions/view":               {"autopilot/machine", "autopilot/shell", "autopilot/words"},
	"sessions/timeline":           {"sessions/view", "autopilot/machine", "autopilot/words"},
	"sessions/report":             {"sessions/audit", "sessions/timeline", "sessions/view", "autopilot/machine", "autopilot/shell", "autopilot/words"},
	"sessions/faulty":             {"sessions/storage"}, // for tests alone: a disk that fails
	"autopilot/inmemory":          {},                   // for tests alone: a disk in memory
	"sessions/taskfile":           {"autopilot/plainfile", "sessions/storage", "autopilot/machine", "autopilot/jsonedit", "autopilot/words"},
	"sessions/roadmap":            {"spec/markdown"},
	"sessions/hooks":              {"autopilot/jsonedit", "sessions", "sessions/taskfile", "autopilot/machine"},
	"personas":                    {"autopilot/jsonedit", "autopilot/words"},
	"personas/limits":             {},
	"personas/agent":              {"autopilot/plainfile", "personas", "personas/agent/toolbox", "personas/limits", "autopilot/jsonedit", "autopilot/process", "autopilot/shell", "autopilot/tail"},
	"personas/agent/toolbox":      {"personas", "autopilot/jsonedit", "autopilot/plainfile", "autopilot/process", "autopilot/shell", "autopilot/tail"},
	"personas/*":                  {"autopilot/jsonedit", "personas", "personas/limits", "autopilot/process", "autopilot/plainfile", "autopilot/shell", "autopilot/tail"},
	"personas/acp":                {"personas", "personas/limits", "autopilot/process", "autopilot/shell", "personas/command"}, // the same programs, spoken to in another way
	"autopilot/budget":            {"autopilot/machine", "personas", "autopilot/words"},
	"autopilot/evidence":          {"autopilot/machine", "autopilot/plainfile", "autopilot/tail"},
	"autopilot/dispatch":          {"autopilot/machine", "autopilot/budget", "autopilot/halt", "autopilot/evidence", "autopilot/git", "autopilot/integrity", "autopilot/plainfile", "autopilot/words", "personas"},
	"autopilot/workspace":         {"autopilot/machine", "autopilot/git", "autopilot/git/refs", "autopilot/steering", "autopilot/integrity", "autopilot/plainfile", "autopilot/shell"},
	"autopilot/proof":             {"autopilot/integrity", "autopilot/git", "autopilot/validate", "autopilot/validate/results", "autopilot/worktree"},
	"autopilot/blind":             {"autopilot/machine", "autopilot/git", "autopilot/integrity", "autopilot/proof", "autopilot/validate", "autopilot/worktree", "personas"},
	"autopilot/worktree":          {"autopilot/git", "autopilot/validate", "autopilot/plainfile", "autopilot/project", "autopilot/shell", "autopilot/tail"},
	"autopilot/words":             {},
	"autopilot/halt":              {"autopilot/machine"},
	"autopilot/attempts":          {"autopilot/machine", "autopilot/blind", "autopilot/budget", "autopilot/changes", "autopilot/checks", "autopilot/dispatch", "autopilot/evidence", "autopilot/git", "autopilot/guard", "autopilot/halt", "autopilot/journal", "autopilot/plainfile", "autopilot/plans", "autopilot/project", "autopilot/validate", "autopilot/words", "autopilot/workspace", "personas", "spec/..."},
	"autopilot/branches":          {"autopilot/machine", "autopilot/git", "autopilot/git/refs", "autopilot/halt", "autopilot/journal", "autopilot/shell", "autopilot/words"},
	"autopilot/checks":            {"autopilot/machine", "autopilot/changes", "autopilot/evidence", "autopilot/git", "autopilot/halt", "autopilot/integrity", "autopilot/journal", "autopilot/plainfile", "autopilot/proof", "autopilot/validate", "autopilot/validate/results", "autopilot/words", "autopilot/workspace", "autopilot/worktree", "personas"},
	"autopilot/facts":             {"autopilot/machine", "autopilot/git", "autopilot/git/refs", "autopilot/journal", "autopilot/workspace"},
	"autopilot/changes":           {"autopilot/machine", "autopilot/branches", "autopilot/facts", "autopilot/git", "autopilot/journal", "autopilot/plainfile", "autopilot/plans", "autopilot/workspace", "autopilot/worktree"},
	"autopilot/closing":           {"autopilot/machine", "autopilot/commits", "autopilot/facts", "autopilot/git", "autopilot/journal", "autopilot/plainfile", "autopilot/pullrequest", "autopilot/shell", "autopilot/words", "personas"},
	"autopilot/commits":           {"autopilot/machine", "autopilot/branches", "autopilot/checks", "autopilot/facts", "autopilot/git", "autopilot/git/refs", "autopilot/journal", "autopilot/validate", "autopilot/words", "autopilot/workspace", "personas"},
	"autopilot/gates":             {"autopilot/machine", "autopilot/attempts", "autopilot/changes", "autopilot/halt", "autopilot/journal", "autopilot/plans", "autopilot/shell", "autopilot/words"},
	"autopilot/guard":             {"autopilot/machine", "autopilot/branches", "autopilot/changes", "autopilot/facts", "autopilot/git", "autopilot/git/refs", "autopilot/steering", "autopilot/journal", "autopilot/plainfile", "autopilot/plans", "autopilot/words", "autopilot/workspace", "personas", "spec/..."},
	"autopilot/plans":             {"autopilot/machine", "autopilot/halt", "autopilot/journal", "autopilot/plainfile", "autopilot/shell", "spec/..."},
	"autopilot/readiness":         {"autopilot/machine", "autopilot/checks", "autopilot/evidence", "autopilot/git", "autopilot/halt", "autopilot/journal", "autopilot/plainfile", "autopilot/project", "autopilot/shell", "autopilot/validate", "autopilot/words", "autopilot/worktree"},
	"autopilot/pullrequest":       {"autopilot/machine", "autopilot/branches", "autopilot/halt", "autopilot/journal", "autopilot/shell", "autopilot/words"},
	"autopilot/undo":              {"autopilot/machine", "autopilot/branches", "autopilot/git", "autopilot/halt", "autopilot/journal", "autopilot/shell", "autopilot/words"},
	"autopilot/journal":           {"autopilot/machine", "autopilot/budget", "autopilot/words", "autopilot/workspace", "personas"},
	"autopilot":                   {"autopilot/machine", "autopilot/journal", "autopilot/words", "autopilot/halt", "autopilot/attempts", "autopilot/blind", "autopilot/branches", "autopilot/changes", "autopilot/checks", "autopilot/closing", "autopilot/commits", "autopilot/facts", "autopilot/gates", "autopilot/guard", "autopilot/plans", "autopilot/proof", "autopilot/pullrequest", "autopilot/readiness", "autopilot/undo", "autopilot/budget", "autopilot/dispatch", "autopilot/evidence", "autopilot/git", "autopilot/git/refs", "autopilot/workspace", "autopilot/worktree", "autopilot/validate", "autopilot/validate/results", "autopilot/integrity", "autopilot/project", "autopilot/plainfile", "autopilot/shell", "autopilot/tail", "spec/...", "personas"},
	"autopilot/specdraft":         {"autopilot", "autopilot/dispatch", "autopilot/git", "autopilot/halt", "autopilot/journal", "autopilot/plainfile", "autopilot/project", "autopilot/branches", "autopilot/validate", "autopilot/words", "autopilot/workspace", "personas", "spec/..."},
	"autopilot/tasks":             {"autopilot/journal", "autopilot/proof", "autopilot/words", "autopilot/halt", "autopilot/branches", "autopilot/checks", "autopilot/commits", "autopilot/readiness", "autopilot/jsonedit", "sessions/taskfile", "autopilot/machine", "autopilot/budget", "autopilot/dispatch", "autopilot/git", "autopilot/git/refs", "autopilot/workspace", "autopilot/worktree", "autopilot/validate", "autopilot/integrity", "autopilot/plainfile", "autopilot/shell", "personas"},
	"cmd":                         {"*"},
	"cmd/*":                       {"cmd/app", "cmd/console", "cmd/form", "cmd/live", "config", "spec/...", "sessions/...", "personas/...", "autopilot/..."}, // a family of commands: not the root
	"cmd/serve":                   {"cmd/serve/door", "cmd/serve/sites", "cmd/app", "cmd/console", "sessions/...", "autopilot/..."},
	"cmd/serve/door":              {"cmd/console"},
	"cmd/serve/sites":             {"cmd/app", "cmd/console", "cmd/live", "personas", "sessions/...", "autopilot/..."},
	"cmd/form":                    {"cmd/live", "cmd/look", "cmd/console", "sessions/...", "autopilot/..."},
	"cmd/app":                     {"cmd/console", "config", "spec/...", "sessions/...", "personas/...", "autopilot/..."},
	"cmd/console":                 {"config", "spec/...", "sessions/...", "personas", "autopilot", "autopilot/journal", "autopilot/words", "autopilot/halt", "autopilot/gates", "autopilot/budget", "autopilot/git", "autopilot/git/gitdir", "autopilot/machine", "autopilot/plainfile", "autopilot/process", "autopilot/shell"},
	"cmd/autopilot":               {"cmd", "cmd/console", "cmd/supervisor"},
	"cmd/supervisor":              {"autopilot/process/supervise"}, // and no library: it is to be ready before them
	"temporal/flow":               {"autopilot/branches", "autopilot/budget", "autopilot/machine", "autopilot/machine/transition"},
	"temporal/payload":            {},
	"temporal/hub":                {"autopilot/machine", "autopilot/branches", "autopilot/plainfile", "sessions"},
	"temporal/worker":             {"temporal/flow", "temporal/hub", "temporal/account", "cmd", "cmd/app", "cmd/console", "config", "autopilot", "autopilot/...", "sessions/..."},
	"temporal/cmd":                {"temporal/...", "cmd/...", "config", "autopilot/...", "sessions/..."},
	"temporal/cmd/*":              {"temporal/cmd", "cmd/console", "cmd/supervisor"},
	"temporal/account":            {},
	everybodys:                    {},

	"autopilot/machine/transition": {"autopilot/machine"}, // nobody needs it but who journals events
}

// everybodys is the folder that all others may import: it holds what the standard library lacks, and nothing of ours.
const everybodys = "autopilot/lazyregexp"

// homes are the libraries that only some folders may know: "spec/..." is spec and all below it.
var homes = map[string][]string{
	"github.com/spf13/viper":            {"config"},
	"github.com/yuin/goldmark":          {"spec/...", "sessions/roadmap"},
	"github.com/spf13/cobra":            {"cmd/...", "temporal/cmd"},
	"github.com/looplab/fsm":            {"autopilot/machine"},
	"github.com/sashabaranov/go-openai": {"personas/openai"},
	"github.com/coder/acp-go-sdk":       {"personas/acp"},
	"mvdan.cc/sh":                       {"autopilot/shell"},
	"github.com/tailscale/hujson":       {"autopilot/jsonedit"},
	"github.com/pelletier/go-toml":      {"autopilot/project"},
	"github.com/clipperhouse":           {"cmd/live", "cmd/form"},
	"charm.land":                        {"cmd/form", "cmd/config"},
	"github.com/muesli/cancelreader":    {"cmd/live"},
	"rsc.io/qr":                         {"cmd/serve"},
	"go.temporal.io":                    {"temporal/..."},
}

// noCommands are the folders below cmd that hold no commands: they are there before the libraries.
var noCommands = []string{"cmd/autopilot", "cmd/supervisor"}

// onlyInCmd are the names that tie a package to the process it runs in: its streams, its end, its clock. A deadline is
// reckoned from a clock, which goes on while the machine is suspended: a time-out is one, from a timer.
var onlyInCmd = map[string][]string{
	"context": {"WithDeadline", "WithDeadlineCause"},
	"fmt":     {"Print", "Printf", "Println"},
	"os":      {"Exit"},
	"time":    {"Now"},
}

const (
	maxFunction = 80  // lines, from func to the closing brace
	maxFile     = 400 // lines
)

func TestTheSourceKeepsTheRules(t *testing.T) {
	files := 0
	for name, text := range goFiles(t) {
		files++
		for _, c := range complaints(t, name, text) {
			t.Error(c)
		}
	}
	if files < 100 {
		t.Errorf("only %d Go files were found: the test looks in the wrong place", files)
	}
}

func TestBrokenRulesAreFound(t *testing.T) {
	long := strings.Repeat("\t_ = 0\n", maxFunction)
	for name, c := range map[string]struct{ file, text, want string }{
		"a leaf that imports another":        {"spec/a.go", `import _ "autopilot/config"`, "spec may not import autopilot/config"},
		"the core that imports the engine":   {"autopilot/machine/a.go", `import _ "autopilot/autopilot"`, "may not import"},
		"the engine that imports sessions":   {"autopilot/a.go", `import _ "autopilot/sessions"`, "may not import"},
		"the engine that imports a backend":  {"autopilot/a.go", `import _ "autopilot/personas/openai"`, "may not import"},
		"a backend that imports another":     {"personas/openai/a.go", `import _ "autopilot/personas/agent"`, "may not import"},
		"what all import, that imports one":  {"autopilot/lazyregexp/a.go", `import _ "autopilot/spec"`, "may not import"},
		"a package without a place":          {"utils/a.go", "", "no place in the layers"},
		"viper outside config":               {"cmd/a.go", `import _ "github.com/spf13/viper"`, "belongs to config"},
		"a part of goldmark outside spec":    {"cmd/a.go", `import _ "github.com/yuin/goldmark/ast"`, "belongs to spec"},
		"cobra outside cmd":                  {"config/a.go", `import _ "github.com/spf13/cobra"`, "belongs to cmd"},
		"cobra in main":                      {"cmd/autopilot/a.go", `import _ "github.com/spf13/cobra"`, "belongs to cmd"},
		"the console that imports a backend": {"cmd/console/a.go", `import _ "autopilot/personas/openai"`, "may not import"},
		"printing":                           {"spec/a.go", `import "fmt"; func f() { fmt.Println() }`, "fmt.Println"},
		"the clock under another name":       {"sessions/a.go", `import clock "time"; var now = clock.Now`, "time.Now"},
		"ending the process":                 {"config/a.go", `import "os"; func f() { os.Exit(1) }`, "os.Exit"},
		"a deadline":                         {"personas/a.go", `import "context"; var f = context.WithDeadline`, "context.WithDeadline"},
		"a dot import":                       {"config/a.go", `import . "os"; func f() { Exit(1) }`, "dot import"},
		"a long function":                    {"spec/a.go", "func f() {\n" + long + "}", "function f"},
		"a long function in a test":          {"spec/a_test.go", "func f() {\n" + long + "}", "function f"},
		"a pattern that each start compiles": {"spec/a.go", `import "regexp"; var a = regexp.MustCompile("a")`, "lazyregexp"},
		"a long file":                        {"spec/a.go", strings.Repeat("\n", maxFile), "lines"},
	} {
		t.Run(name, func(t *testing.T) {
			found := complaints(t, c.file, "package a\n"+c.text+"\n")
			if len(found) != 1 || !strings.Contains(found[0], c.want) {
				t.Errorf("found %q, want one complaint with %q", found, c.want)
			}
		})
	}
}

func TestGoodSourceIsLeftAlone(t *testing.T) {
	for file, text := range map[string]string{
		"cmd/a.go":                `import ("fmt"; "os"; "time"; _ "autopilot/personas/openai"; _ "github.com/spf13/cobra"); func f() { fmt.Println(time.Now()); os.Exit(0) }`,
		"cmd/console/a.go":        `import ("os"; _ "autopilot/sessions/taskfile"; _ "github.com/spf13/cobra"); func f() { os.Exit(0) }`,
		"sessions/a.go":           `import ("fmt"; "time"; _ "autopilot/autopilot/machine"); func f(t time.Time) { _ = fmt.Sprint(time.Since(t)) }`,
		"autopilot/a.go":          `import (_ "autopilot/autopilot/git"; _ "autopilot/personas")`,
		"personas/new/a.go":       `import (_ "autopilot/personas"; _ "autopilot/autopilot/process")`,
		"spec/a_test.go":          `import ("time"; _ "autopilot/cmd"); var now = time.Now()`,
		"config/a.go":             `type fmt struct{ Println int }; func f(fmt fmt) int { return fmt.Println }`,
		"autopilot/validate/a.go": `import _ "autopilot/autopilot/process"`,
		"spec/b.go":               `import _ "autopilot/autopilot/lazyregexp"`,
		"spec/c.go":               `import "regexp"; func f(s string) { regexp.MustCompile(s) }; var g = func() { regexp.MustCompile("a") }`,
	} {
		if found := complaints(t, file, "package a\n"+text+"\n"); len(found) > 0 {
			t.Errorf("%s: %q", file, found)
		}
	}
}

// goFiles reads every Go file of the repository, by its path from the root.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && name != "."
		if entry.IsDir() && (hidden || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// TestEachFuzzTargetHasACorpus: what fuzzing begins with lies beside it, one file each, so that each go test reads it, and
// what is found later has its place.
func TestEachFuzzTargetHasACorpus(t *testing.T) {
	targets := 0
	for name, text := range goFiles(t) {
		for _, m := range fuzzTarget.FindAllStringSubmatch(text, -1) {
			targets++
			dir := path.Join(path.Dir(name), "testdata", "fuzz", m[1])
			if files, err := os.ReadDir(dir); len(files) < 2 {
				t.Errorf("%s: %d files in %s (%v)", m[1], len(files), dir, err)
			}
		}
	}
	if targets == 0 {
		t.Error("no fuzz target was found")
	}
}

// complaints names the rules that a file breaks. Sizes hold for tests as well; layers do not.
func complaints(t *testing.T, name, text string) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := tooLarge(set, file, name, text)
	if folder := path.Dir(name); !strings.HasSuffix(name, "_test.go") {
		found = append(found, wrongImports(file, folder)...)
		found = append(found, wrongNames(file, folder)...)
		found = append(found, eagerPatterns(file)...)
	}
	for i, c := range found {
		found[i] = name + ": " + c
	}
	return found
}

func tooLarge(set *token.FileSet, file *ast.File, name, text string) []string {
	var found []string
	if n := strings.Count(text, "\n"); n > maxFile {
		found = append(found, fmt.Sprintf("%d lines, more than %d", n, maxFile))
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > maxFunction {
			found = append(found, fmt.Sprintf("function %s has %d lines, more than %d", f.Name.Name, n, maxFunction))
		}
	}
	return found
}

func wrongImports(file *ast.File, folder string) []string {
	allowed, known := layers[folder]
	if !known {
		allowed, known = layers[path.Dir(folder)+"/*"]
	}
	if !known {
		return []string{folder + " has no place in the layers: give it one"}
	}
	var found []string
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		if own, ok := strings.CutPrefix(imported, module+"/"); ok && own != everybodys && !allows(allowed, own) {
			found = append(found, fmt.Sprintf("%s may not import %s", folder, imported))
		}
		for library, home := range homes {
			at := allows(home, folder) && !slices.Contains(noCommands, folder)
			if (imported == library || strings.HasPrefix(imported, library+"/")) && !at {
				found = append(found, fmt.Sprintf("%s belongs to %s alone", library, strings.Join(home, " and ")))
			}
		}
		if spec.Name != nil && spec.Name.Name == "." {
			found = append(found, "a dot import hides where names come from")
		}
	}
	return found
}

// allows says whether a row of the layers has a folder in it.
func allows(row []string, folder string) bool {
	return slices.ContainsFunc(row, func(one string) bool {
		tree, whole := strings.CutSuffix(one, "/...")
		return one == "*" || one == folder || whole && (folder == tree || strings.HasPrefix(folder, tree+"/"))
	})
}

// wrongNames finds mentions of what only cmd may use, called or handed on.
func wrongNames(file *ast.File, folder string) []string {
	if own := strings.TrimPrefix(folder, "temporal/"); own == "cmd" || strings.HasPrefix(own, "cmd/") {
		return nil
	}
	imported := map[string]string{} // path by the name it has in the file
	for _, spec := range file.Imports {
		p := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = p
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(onlyInCmd[imported[x.Name]], s.Sel.Name) {
				found = append(found, fmt.Sprintf("%s.%s belongs to cmd alone", imported[x.Name], s.Sel.Name))
			}
		}
		return true
	})
	return found
}

// eagerPatterns finds regular expressions that are compiled whenever the program starts, used or not.
func eagerPatterns(file *ast.File) []string {
	var found []string
	for _, d := range file.Decls {
		vars, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		ast.Inspect(vars, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
				found = append(found, "a pattern is compiled at every start: write it with "+everybodys)
			}
			_, later := n.(*ast.FuncLit)
			return !later
		})
	}
	return found
}
