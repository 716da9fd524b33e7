package toolbox

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

const (
	maxListed   = 1_000
	MaxMatches  = 200
	MaxSearched = 2_000_000 // bytes of a file that is still searched
	maxShown    = 300       // bytes of a matching line
	maxAround   = 20        // lines that are shown before and after a match
	maxFound    = 100_000   // bytes of a result
)

type listArgs struct {
	Path string `json:"path"`
	Glob string `json:"glob"`
}

func (b *Box) listFiles() Tool {
	return define("list_files",
		"List files that git does not ignore; glob: **/*_test.go.",
		schema("", "path:string", "glob:string"),
		func(ctx context.Context, a listArgs) (string, error) {
			files, err := b.files(ctx, a.Path, a.Glob)
			if err != nil {
				return "", err
			}
			if len(files) == 0 {
				return "no file matches", nil
			}
			left := ""
			if over := len(files) - maxListed; over > 0 {
				left = fmt.Sprintf("\n… %d more; narrow it with path or glob", over)
			}
			return strings.Join(files[:min(len(files), maxListed)], "\n") + left, nil
		})
}

// files gives what git tracks or would track, in order, without the program's
// own files.
func (b *Box) files(ctx context.Context, under, glob string) ([]string, error) {
	if glob != "" && !doublestar.ValidatePattern(glob) {
		return nil, fmt.Errorf("glob %q is malformed", glob)
	}
	under, err := local(cmp.Or(under, "."))
	if err != nil {
		return nil, err
	}
	out, err := b.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
	if err != nil {
		return nil, err
	}
	var files []string
	for name := range strings.SplitSeq(strings.TrimRight(out, "\x00"), "\x00") {
		inside := under == "." || name == under || strings.HasPrefix(name, under+"/")
		if name == "" || !inside || allowed(name) != nil || !matches(glob, name) {
			continue
		}
		if _, err := b.tree.root.Lstat(name); err == nil { // tracked, but deleted
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files, nil
}

// matches takes a glob without a slash for the name alone, as people mean it.
func matches(glob, name string) bool {
	if glob == "" {
		return true
	}
	if !strings.Contains(glob, "/") {
		name = path.Base(name)
	}
	ok, err := doublestar.Match(glob, name)
	return ok && err == nil
}

type searchArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Glob    string `json:"glob"`
	Context int    `json:"context"`
}

func (b *Box) search() Tool {
	return define("search",
		"Search file contents with an RE2 regular expression; (?i) ignores case. Returns path:line: text. "+
			"path: a file or folder; glob: such as **/*.py; context: lines around each match.",
		schema("pattern", "pattern:string", "path:string", "glob:string", "context:integer"),
		func(ctx context.Context, a searchArgs) (string, error) {
			if a.Pattern == "" {
				return "", fmt.Errorf("pattern is missing")
			}
			re, err := regexp.Compile(a.Pattern)
			if err != nil {
				return "", fmt.Errorf("the pattern is malformed: %w; put a backslash before characters that are meant as they are, as in foo\\(", err)
			}
			files, err := b.files(ctx, a.Path, a.Glob)
			if err != nil {
				return "", err
			}
			return b.grep(ctx, re, files, min(max(a.Context, 0), maxAround)), nil
		})
}

func (b *Box) grep(ctx context.Context, re *regexp.Regexp, files []string, around int) string {
	var out strings.Builder
	found := 0
	var large []string
	for _, name := range files {
		if ctx.Err() != nil {
			break
		}
		text, tooLarge := b.textOf(name)
		if tooLarge {
			large = append(large, name)
		}
		lines, at := matching(re, text, MaxMatches-found)
		found += len(at)
		b.show(&out, name, lines, at[:min(len(at), len(at)+MaxMatches-found)], around)
		switch {
		case found > MaxMatches:
			return out.String() + fmt.Sprintf("… more than %d matches; narrow the pattern, path or glob\n", MaxMatches)
		case out.Len() > maxFound:
			return out.String() + "… no more is shown; narrow the pattern, path or glob, or ask for less context\n"
		}
	}
	if found == 0 {
		fmt.Fprintf(&out, "no match in %d files", len(files)-len(large))
	}
	return out.String() + leftOut(large)
}

// matching gives the lines of a text, and the indices of those that match: one more than most at the most.
func matching(re *regexp.Regexp, text []byte, most int) (lines [][]byte, at []int) {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(at) <= most && re.Match(line) {
			at = append(at, len(lines))
		}
		lines = append(lines, line)
	}
	return lines, at
}

// show writes matches as grep does: with the lines around them, groups apart.
func (b *Box) show(out *strings.Builder, name string, lines [][]byte, at []int, around int) {
	next := 0 // line that was not shown yet
	for i, match := range at {
		from, to := max(match-around, next), min(match+around, len(lines)-1)
		if i+1 < len(at) {
			to = min(to, at[i+1]-1)
		}
		if around > 0 && out.Len() > 0 && (i == 0 || from > next) {
			out.WriteString("--\n")
		}
		for n := from; n <= to; n++ {
			mark := "-"
			if n == match {
				mark = ":"
			}
			fmt.Fprintf(out, "%s%s%d%s %s\n", name, mark, n+1, mark, Cut(b.Mask, string(lines[n]), maxShown))
		}
		next = to + 1
	}
}

// leftOut names the files that are too large to be searched.
func leftOut(large []string) string {
	const named = 5
	if len(large) == 0 {
		return ""
	}
	more := ""
	if len(large) > named {
		large, more = large[:named], fmt.Sprintf(" and %d more", len(large)-named)
	}
	return fmt.Sprintf("\nnot searched, since larger than %d bytes: %s%s; grep in a command, or read_file with from and to, looks into them\n", MaxSearched, strings.Join(large, ", "), more)
}

// textOf gives a file's bytes, and none of one that is binary, gone, or behind
// a link that leads out. One that is too large is told.
func (b *Box) textOf(name string) (text []byte, tooLarge bool) {
	f, err := b.tree.open(name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	text, err = io.ReadAll(io.LimitReader(f, MaxSearched+1))
	if err != nil || bytes.IndexByte(text[:min(len(text), sniffed)], 0) >= 0 {
		return nil, false
	}
	if len(text) > MaxSearched {
		return nil, true
	}
	return text, false
}
