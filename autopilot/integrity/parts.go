package integrity

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
)

// part is a piece of a manifest that decides what is checked.
type part struct {
	name string
	line int // in the new content; in the old one where it is gone
}

// checkParts gives the parts of c's file that were changed or removed.
func checkParts(c Change) []part {
	switch path.Base(c.before()) {
	case "Makefile", "makefile", "GNUmakefile":
		return changedMake(c)
	case "package.json":
		return changedScripts(c)
	case "pyproject.toml":
		return changedSections(c, tomlSections(`tool\.(pytest|coverage|mypy|ruff|tox|nox|pyright|pylint|flake8|bandit|poe|taskipy|hatch\.envs|pdm\.scripts|rye\.scripts)`))
	case "setup.cfg":
		return changedSections(c, tomlSections(`tool:pytest|flake8|mypy|coverage|testenv`))
	case "Cargo.toml":
		return changedSections(c, tomlSections(`lints|\[test|profile\.test|workspace\.lints`))
	}
	return nil
}

// section is a named run of lines.
type section struct {
	line int
	text string
}

// tomlSections are the tables whose name starts with what names says.
func tomlSections(names string) func(string) map[string]section {
	wanted := lazily(`^\[\s*((?:` + names + `)[^\]]*)\]`)
	return func(content string) map[string]section {
		return sections(content, func(text string) (string, bool) {
			if m := wanted.FindStringSubmatch(text); m != nil {
				return "the section [" + m[1] + "]", true
			}
			return "", strings.HasPrefix(text, "[")
		})
	}
}

// sections cuts content at the lines that head begins a section at; those
// without a name are left out. Blank lines and comments do not count.
func sections(content string, head func(string) (name string, begins bool)) map[string]section {
	found := map[string]section{}
	current, number := "", 0
	for text := range strings.Lines(content) {
		number++
		text = strings.TrimRight(text, " \t\r\n")
		if name, begins := head(text); begins {
			current = name
		}
		if current == "" || strings.TrimSpace(text) == "" || strings.HasPrefix(strings.TrimSpace(text), "#") {
			continue
		}
		s, had := found[current]
		if !had {
			s.line = number
		}
		s.text += text + "\n"
		found[current] = s
	}
	return found
}

// leavesOut is configuration that makes a test program pass over tests.
var leavesOut = lazily(`--ignore|--deselect|[\s"']-k\b|-m\s*['"]?not\b|collect_ignore|[iI]gnorePatterns|testIgnore|passWithNoTests|norecursedirs|-p no:|autotests\s*=\s*false|\btest\s*=\s*false|exclude`)

func changedSections(c Change, cut func(string) map[string]section) []part {
	before, after := cut(string(c.Before)), cut(string(c.After))
	var found []part
	for _, name := range slices.Sorted(maps.Keys(before)) {
		now, there := after[name]
		switch {
		case !there:
			found = append(found, part{name, before[name].line})
		case now.text != before[name].text:
			found = append(found, part{name, now.line})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[name]; !had && leavesOut.MatchString(after[name].text) {
			found = append(found, part{name, after[name].line})
		}
	}
	return found
}

var checkScript = lazily(`^(pre|post)?(test|lint|typecheck|type-check|check|validate|verify|ci)([:\-].*)?$`)

// runnerKeys configure test programs inside a package.json.
var runnerKeys = []string{"jest", "mocha", "vitest", "ava", "tap", "nyc", "c8", "eslintConfig", "eslintIgnore", "xo", "lint-staged", "husky"}

// noTestsYet is what the script says that npm init writes.
const noTestsYet = "no test specified"

// changedScripts: a script that was not there, or was npm's default one, may be
// added. A package.json that does not parse has lost its scripts.
func changedScripts(c Change) []part {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(c.Before, &before) != nil {
		return nil
	}
	_ = json.Unmarshal(c.After, &after)
	var scripts, now map[string]string
	_ = json.Unmarshal(before["scripts"], &scripts)
	_ = json.Unmarshal(after["scripts"], &now)
	var found []part
	deciding := checkScripts(scripts)
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		old := scripts[name]
		if deciding[name] && old != now[name] && !strings.Contains(old, noTestsYet) {
			found = append(found, part{fmt.Sprintf("the script %q", name), lineOf(c, `"`+name+`"`)})
		}
	}
	for _, key := range runnerKeys {
		if old, had := before[key]; had && !sameJSON(old, after[key]) {
			found = append(found, part{fmt.Sprintf("the configuration %q", key), lineOf(c, `"`+key+`"`)})
		} else if !had && leavesOut.Match(after[key]) && !vendored.Match(after[key]) {
			found = append(found, part{fmt.Sprintf("the configuration %q", key), lineOf(c, `"`+key+`"`)})
		}
	}
	return found
}

var otherScript = lazily(`\b(?:npm|pnpm|yarn|bun)(?: run| -s| --silent)* ([\w:.-]+)|\brun-[sp] ([\w:.-]+)`)

// checkScripts are those whose name says that they check, and those that they run.
func checkScripts(scripts map[string]string) map[string]bool {
	found := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if _, is := scripts[name]; !is || found[name] {
			return
		}
		found[name] = true
		for _, m := range otherScript.FindAllStringSubmatch(scripts[name], -1) {
			add(m[1] + m[2])
		}
	}
	for name := range scripts {
		if checkScript.MatchString(name) {
			add(name)
		}
	}
	return found
}

func sameJSON(x, y json.RawMessage) bool {
	var a, b any
	return json.Unmarshal(x, &a) == nil && json.Unmarshal(y, &b) == nil && reflect.DeepEqual(a, b)
}

// lineOf looks in the new content first.
func lineOf(c Change, text string) int {
	for _, content := range []string{string(c.After), string(c.Before)} {
		if before, _, found := strings.Cut(content, text); found {
			return strings.Count(before, "\n") + 1
		}
	}
	return 0
}
