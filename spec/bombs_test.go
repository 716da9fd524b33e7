package spec_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"autopilot/spec"
	"autopilot/spec/markdown"
)

// TestDocumentsThatNestForEverAreRefused: a reader of Markdown takes hours for some lines that are quick to write.
func TestDocumentsThatNestForEverAreRefused(t *testing.T) {
	t.Parallel()
	const begin = "# T\n\n## Implementation Order\n\n### Phase 1: A\n\n" // the bomb is on line 7
	lines := func(line string, n int) string { return strings.Repeat(line+"\n", n) }
	for name, c := range map[string]struct {
		text string
		line int
		want string
	}{
		"quotes in one long line":         {strings.Repeat("> ", 100_000), 7, "more than the"},
		"lists in one long line":          {strings.Repeat("- ", 100_000), 7, "more than the"},
		"links in one long line":          {strings.Repeat("[a](", 100_000), 7, "more than the"},
		"many lines":                      {lines("> a", 300_000), 1, "more than the"},
		"quotes in many lines":            {lines(strings.Repeat("> ", 9000)+"a", 50), 7, "nested too deep"},
		"lists in many lines":             {lines(strings.Repeat("- ", 9000)+"a", 50), 7, "nested too deep"},
		"numbers in many lines":           {lines(strings.Repeat("1. ", 6000)+"a", 50), 7, "nested too deep"},
		"blank lines in deep lists":       {lines(strings.Repeat("- ", 300)+"a", 1) + strings.Repeat("\n", 900_000), 0, "stand together"},
		"stars and underscores":           {lines(strings.Repeat("*a_ ", 4000), 55), 7, "stand together"},
		"stars on lines of their own":     {lines("*a_", 200_000), 7, "stand together"},
		"stars in a quotation":            {lines("> *a_", 150_000), 7, "stand together"},
		"stars in many paragraphs":        {lines(strings.Repeat("*a_ ", 4000)+"\n", 55), 0, "stand together"},
		"stars in a heading":              {lines("# "+strings.Repeat("*a_ ", 4900), 50), 0, "stand together"},
		"brackets":                        {lines(strings.Repeat("[", 9000)+strings.Repeat("]", 9000), 50), 7, "stand together"},
		"brackets on lines of their own":  {lines("[a", 100_000) + lines("]", 100_000), 7, "stand together"},
		"links without an end":            {lines("[a](", 150_000), 7, "stand together"},
		"pictures in pictures":            {lines("![", 100_000) + lines("](a)", 100_000), 7, "stand together"},
		"runs of backquotes":              {lines("a ` a `` a ``` a ````", 40_000), 7, "stand together"},
		"tags without an end":             {lines("a <a b=\"", 100_000), 7, "stand together"},
		"targets of links":                {lines("[a]: b", 140_000), 7, "stand together"},
		"a table of many empty cells":     {lines(strings.Repeat("|a", 5000), 1) + lines(strings.Repeat("|-", 5000), 1) + lines("|", 400_000), 7, "stand together"},
		"tables of many empty cells":      {strings.Repeat(lines(strings.Repeat("|a", 5000), 1)+lines(strings.Repeat("|-", 5000), 1)+lines("|", 400)+"\n", 40), 0, "stand together"},
		"pipes in the code of many cells": {lines("|a|", 1) + lines("|-|", 1) + lines("|`\\|`|", 100_000), 7, "stand together"},
	} {
		if os.Getenv("RESUME_FULL") != "1" && crc32.ChecksumIEEE([]byte(name))%3 != 0 { // the others take seconds
			continue
		}
		_, err := spec.Parse([]byte(begin + c.text))
		var bad *markdown.ParseError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || c.line > 0 && bad.Problems[0].Line != c.line {
			t.Errorf("%s: %.300v, want %q and line %d", name, err, c.want, c.line)
		}
	}
}

// TestLargeDocumentsThatPeopleWriteAreRead: what is as large as it may be and holds many marks is no bomb.
func TestLargeDocumentsThatPeopleWriteAreRead(t *testing.T) {
	t.Parallel()
	const begin = "# T\n\n## Implementation Order\n\n### Phase 1: A\n\n"
	const words = "Some *words* with `code`, a [link](https://example.com/a_b) and a <b>tag</b>, [one][ref] more, snake_case_name.\n"
	var table, targets strings.Builder
	table.WriteString("| a | b | c | d |\n| --- | :-: | --- | --: |\n")
	for n := range 10_000 {
		fmt.Fprintf(&table, "| `a|%d` | **b** | [c](d) | `x\\|y` e |\n", n)
	}
	for n := range 2000 {
		fmt.Fprintf(&targets, "[target %d]: https://example.com/%d\n", n, n)
	}
	for name, text := range map[string]string{
		"paragraphs": strings.Repeat(strings.Repeat(words, 8)+"\n", 1000),
		"one piece":  strings.Repeat(words, 200),
		"lists":      strings.Repeat("- a\n  - b\n    1. c\n       > "+words, 6000),
		"a table":    table.String(), "targets": targets.String(),
		"short lines": strings.Repeat("- a\n", 200_000), "blank lines": "- a\n" + strings.Repeat("\n", 900_000),
	} {
		if _, err := spec.Parse([]byte(begin + text)); err != nil {
			t.Errorf("%s, %d bytes: %v", name, len(text), err)
		}
	}
}
