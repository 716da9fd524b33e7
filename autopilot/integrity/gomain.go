package integrity

import (
	"slices"
	"strings"
)

var (
	ending = lazily(`\bos\.Exit\((.*)\)`)
	zeroed = lazily(`^\s*(?:(?:if|for) .*\{\s*)?(\w+)\s*(?::?=|&=|\*=)\s*0\s*\}?\s*$`)
)

// forgiving finds a TestMain that ends with another code than that of its tests.
func (n freshLines) forgiving() []Finding {
	if n.l.name != "Go" {
		return nil
	}
	for _, f := range n.s.functions {
		if f.name != "TestMain" {
			continue
		}
		code := ""
		for _, text := range f.lines() {
			if m := ending.FindStringSubmatch(text); m != nil {
				code = m[1]
			}
		}
		for _, i := range n.at {
			if i < f.from || i >= f.to {
				continue
			}
			text := n.s.lines[i]
			set := zeroed.FindStringSubmatch(text)
			bent := strings.Contains(code, ".Run()") && strings.ContainsAny(code, "&*%") && strings.Contains(text, code)
			if set != nil && set[1] == code && slices.ContainsFunc(f.lines(), func(text string) bool { return strings.Contains(text, ".Run()") }) || bent {
				return []Finding{n.finding(Critical, i, "the test run is ended with success", "hides the exit code of the tests.")}
			}
		}
	}
	return nil
}
