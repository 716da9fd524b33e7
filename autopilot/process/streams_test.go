//go:build unix

package process

import (
	"strings"
	"testing"
	"time"
)

func TestStandardErrorCanBeKeptApart(t *testing.T) {
	var out, errs strings.Builder
	c := Shell("echo one; echo two >&2; echo three", "")
	c.Output, c.Errors = &out, &errs
	if res, err := Run(t.Context(), c); err != nil || res.ExitCode != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	if out.String() != "one\nthree\n" || errs.String() != "two\n" {
		t.Errorf("output %q, errors %q", out.String(), errs.String())
	}
}

func TestWordsOnStandardErrorAreASignOfLife(t *testing.T) {
	var out, errs strings.Builder
	c := Shell("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do sleep 0.1; echo . >&2; done", "")
	c.Output, c.Errors, c.Idle = &out, &errs, time.Second
	if res, err := Run(t.Context(), c); err != nil || res.TimedOut != NoLimit {
		t.Fatalf("%+v, %v", res, err)
	}
}
