package spec_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"autopilot/spec"
	"autopilot/spec/markdown"
)

// checkProblems fails unless each problem can be found in the document.
func checkProblems(t *testing.T, src []byte, problems []markdown.Problem) {
	t.Helper()
	lines := lineCount(src)
	for _, p := range problems {
		if p.Line < 1 || p.Line > lines || p.Message == "" || p.Hint == "" {
			t.Errorf("problem %+v in a document of %d lines", p, lines)
		}
	}
}

func lineCount(src []byte) int {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	return 1 + bytes.Count(src, []byte("\n")) + bytes.Count(src, []byte("\r"))
}

func checkRefusal(t *testing.T, src []byte, err error) {
	t.Helper()
	var parse *markdown.ParseError
	if !errors.As(err, &parse) || len(parse.Problems) == 0 {
		t.Fatalf("an error without problems: %v", err)
	}
	checkProblems(t, src, parse.Problems)
}

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := spec.Parse(src)
		if err != nil {
			checkRefusal(t, src, err)
			return
		}
		checkProblems(t, src, slices.Concat(s.Unread, s.Warnings))
		if len(s.Phases) == 0 {
			t.Error("neither phases nor an error")
		}
		seen, last := map[string]bool{}, 0
		for _, p := range s.Phases {
			key := strings.ToLower(p.Number)
			if key == "" || seen[key] || p.Name == "" || !utf8.ValidString(p.Name) {
				t.Errorf("phase %+v", p)
			}
			if p.Line < last || p.Line > lineCount(src) {
				t.Errorf("phase %s is on line %d behind line %d", p.Number, p.Line, last)
			}
			seen[key], last = true, p.Line
		}
		again, err := spec.Parse(bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
		if !bytes.Contains(src, []byte("\r")) && (err != nil || len(again.Phases) != len(s.Phases)) {
			t.Errorf("line ends matter: %v", err)
		}
	})
}
