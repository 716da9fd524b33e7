package results

import (
	"fmt"
	"strconv"
	"strings"

	"autopilot/autopilot/lazyregexp"
)

// tapFormat reads the Test Anything Protocol, versions 12 to 14, with subtests at any depth: node's (a comment in front,
// the result behind) and the buffered ones in braces.
type tapFormat struct {
	programReport

	begun   bool // a version, a plan or a numbered result was seen
	planned bool // a plan was seen, which any program may print: it is one with a result
	levels  []tapLevel
	result  bool // the line before was a result
	yaml    int  // indentation of the block of details at hand, plus one; 0 outside one
}

// tapLevel is a depth of indentation: what stands there, and what it is part of.
type tapLevel struct {
	name   string // of the subtest whose results stand one level deeper
	inside bool   // in braces: its own result came first
	ok     TestResult
	points int // results at this level
	plan   int // how many were announced; 0: not
	deeper int // tests that were noted below the result that comes next
	failed int // of them
}

var (
	tapVersion = lazyregexp.New(`^ *TAP version \d+\s*$`)
	tapPlan    = lazyregexp.New(`^( *)1\.\.(\d+)(?:\s*#.*)?$`)
	tapSubtest = lazyregexp.New(`^( *)# Subtest(?:: (.*))?$`)
	tapPoint   = lazyregexp.New(`^( *)(not )?ok\b(?: +(\d+))?(?: +-)?(?: +(.*?))?\s*$`)
	tapMark    = lazyregexp.New(`(?i)(?:^|[^\\])#\s*(skip|todo)\b.*$`)
	tapEscaped = strings.NewReplacer(`\\`, `\`, `\#`, `#`)
)

const tapIndent = 4

func (f *tapFormat) read(line string) bool {
	text := strings.TrimLeft(line, " ")
	if f.details(len(line)-len(text), text) {
		return true
	}
	switch {
	case strings.HasPrefix(line, "TAP version") && tapVersion.MatchString(line):
		f.unmet(0)
		f.begun, f.Spoke, f.levels = true, true, nil // whatever comes, it is TAP
		return true
	case strings.HasPrefix(text, "# Subtest"):
		if m := tapSubtest.FindStringSubmatch(line); m != nil {
			f.begun = true
			f.at(len(m[1])).name = tapEscaped.Replace(m[2])
			return true
		}
	case strings.HasPrefix(text, "1.."):
		if m := tapPlan.FindStringSubmatch(line); m != nil {
			f.begun, f.planned = true, true
			level := f.at(len(m[1]))
			level.plan, _ = strconv.Atoi(m[2])
			f.Spoke = f.Spoke || level.plan == 0
			return true
		}
	case strings.HasPrefix(text, "ok"), strings.HasPrefix(text, "not ok"):
		if m := tapPoint.FindStringSubmatch(line); m != nil && (f.begun || m[3] != "") {
			f.begun = true
			f.point(len(m[1]), m[2] == "", m[4])
			return true
		}
	case text == "}" && f.begun:
		f.close(len(line) - len(text))
		return true
	case strings.HasPrefix(text, "Bail out!") && f.begun:
		f.addNonTestFailure(strings.TrimSpace(text))
		return true
	}
	return false
}

// details passes over the block of details behind a result, which may quote any output.
func (f *tapFormat) details(indent int, text string) bool {
	after := f.result
	f.result = false
	switch {
	case f.yaml > 0 && text != "" && indent < f.yaml-1:
		f.yaml = 0 // it was no block, or it was cut off
	case f.yaml > 0 && text == "..." && indent == f.yaml-1:
		f.yaml = 0
		return true
	case after && text == "---" && indent > 0:
		f.yaml = indent + 1
	}
	return f.yaml > 0
}

// at is the level of an indentation; deeper ones that are left end there.
func (f *tapFormat) at(indent int) *tapLevel {
	depth := min(indent/tapIndent, 50)
	for len(f.levels) <= depth {
		f.levels = append(f.levels, tapLevel{})
	}
	return &f.levels[depth]
}

// point takes a result. One with tests below it is no test of its own, unless it failed and none of them did.
func (f *tapFormat) point(indent int, ok bool, text string) {
	f.close(indent)
	level := f.at(indent)
	level.points++
	f.Spoke = f.Spoke || f.planned
	f.result = true
	result := TestFailed
	if ok {
		result = TestPassed
	}
	if at := tapMark.FindStringSubmatchIndex(text); at != nil {
		if ok || !strings.EqualFold(text[at[2]:at[3]], "skip") {
			result = TestSkipped // a failed todo is none
		}
		text = strings.TrimRight(text[:strings.LastIndexByte(text[:at[2]], '#')], " ")
	}
	if name, opens := strings.CutSuffix(text, "{"); opens {
		level.name, level.inside, level.ok = strings.TrimSpace(tapEscaped.Replace(name)), true, result
		return
	}
	if text = tapEscaped.Replace(text); text == "" {
		text = fmt.Sprintf("test %d", level.points)
	}
	f.ended(indent, text, result)
}

func (f *tapFormat) ended(indent int, name string, result TestResult) {
	depth := min(indent/tapIndent, 50)
	f.unmet(depth + 1)
	f.levels = f.levels[:min(len(f.levels), depth+1)]
	level := &f.levels[depth]
	noted, failed := level.deeper, level.failed
	level.deeper, level.failed, level.name = 0, 0, ""
	if noted == 0 || result == TestFailed && failed == 0 {
		f.again(f.path(depth, name), result)
		noted++
		if result == TestFailed {
			failed++
		}
	}
	for i := range depth {
		f.levels[i].deeper += noted
		f.levels[i].failed += failed
	}
}

// close ends a subtest in braces, whose result came first.
func (f *tapFormat) close(indent int) {
	if level := f.at(indent); level.inside {
		level.inside = false
		f.ended(indent, level.name, level.ok)
	}
}

func (f *tapFormat) path(depth int, name string) string {
	var parts []string
	for _, level := range f.levels[:depth] {
		if level.name != "" {
			parts = append(parts, level.name)
		}
	}
	return strings.Join(append(parts, name), " > ")
}

// unmet notes a plan that was not carried out from this depth on: the program that ran the tests died.
func (f *tapFormat) unmet(depth int) {
	for i := depth; i < len(f.levels); i++ {
		if l := f.levels[i]; l.plan > l.points && (l.points > 0 || f.Spoke) {
			f.addNonTestFailure(f.path(i, "fewer tests than the plan of TAP announced"))
		}
	}
}

func (f *tapFormat) end() {
	for _, l := range f.levels {
		f.Spoke = f.Spoke || f.planned && l.points > 0
	}
	for depth := len(f.levels) - 1; depth >= 0; depth-- {
		f.close(depth * tapIndent)
	}
	f.unmet(0)
}
