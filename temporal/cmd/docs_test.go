package cmd

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fence = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	span  = regexp.MustCompile("`([^`\n]+)`")
	flag  = regexp.MustCompile(`(?:^|[\s(])--([a-z][a-z-]*)`)
)

// notOurs are flags of autopilot that the text names alone.
var notOurs = map[string]bool{"worktree": true}

// TestFleetDocsNameWhatExists parses each command of the program in docs/fleet*.md, and looks up each flag that the text names alone.
func TestFleetDocsNameWhatExists(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "fleet*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no docs/fleet.md: %v", err)
	}
	commands := 0
	for _, file := range files {
		for _, line := range linesOfCode(read(t, file)) {
			commands += named(t, file, line)
		}
	}
	if commands < 15 {
		t.Errorf("only %d commands were found: the test looks in the wrong place", commands)
	}
}

// linesOfCode are the lines of shell, and the code within text.
func linesOfCode(text string) (all []string) {
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Split(strings.ReplaceAll(block[1], "\\\n", " "), "\n")...)
	}
	for _, code := range span.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, code[1])
	}
	return all
}

// named checks a line and counts the commands in it.
func named(t *testing.T, file, line string) (commands int) {
	t.Helper()
	line, _, _ = strings.Cut(line, " #")
	for part := range strings.SplitSeq(line, "&&") {
		_, args, is := strings.Cut(part, "autopilot-temporal ")
		if !is {
			if strings.HasPrefix(strings.TrimSpace(part), "--") {
				exists(t, file, part)
			}
			continue
		}
		c, _, err := root().Find(strings.Fields(args))
		if err != nil || c == c.Root() && !strings.HasPrefix(args, "-") {
			t.Errorf("%s: %q is no command", file, part)
			continue
		}
		commands++
		for _, f := range flag.FindAllStringSubmatch(args, -1) {
			if c.Flag(f[1]) == nil && c.InheritedFlags().Lookup(f[1]) == nil && f[1] != "help" {
				t.Errorf("%s: %s has no flag --%s", file, c.CommandPath(), f[1])
			}
		}
	}
	return commands
}

// exists checks that some command has a flag that the text names alone.
func exists(t *testing.T, file, text string) {
	t.Helper()
	for _, f := range flag.FindAllStringSubmatch(text, -1) {
		found := notOurs[f[1]]
		for _, c := range root().Commands() {
			found = found || c.Flag(f[1]) != nil || c.InheritedFlags().Lookup(f[1]) != nil
		}
		if !found {
			t.Errorf("%s: no command has --%s", file, f[1])
		}
	}
}

func TestCommandsThatDoNotExistAreSeen(t *testing.T) {
	for _, c := range root().Commands() {
		if c.Short == "" || c.Example == "" && c.Name() != "help" && c.Name() != "completion" {
			t.Errorf("%s has no example", c.Name())
		}
	}
	text := "```sh\ncd x && autopilot-temporal submit a.md --fast # --no\n```\n`autopilot-temporal no`, `--slots`\n"
	if got := strings.Join(linesOfCode(text), "|"); !strings.Contains(got, "autopilot-temporal submit a.md") || !strings.HasSuffix(got, "|--slots") {
		t.Errorf("lines are %q", got)
	}
}
