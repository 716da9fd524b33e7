package limits

import (
	"strings"
	"time"
)

// Limit is what a server or an agent program says about a limit of its provider.
type Limit struct {
	Kind  Cause     // LimitPassing or LimitUsedUp
	Until time.Time // zero: it does not say, or says a time that is over
}

// wordLines is how many of the last lines of a text may tell of a limit: what stands above them is work, not its end.
const wordLines = 2

// maxLimitText bounds how much of a text's end is looked at, in bytes.
const maxLimitText = 64 << 10

// LimitIn tells whether a text is a limit: the error of a server, an error event of an agent program, or its last
// words. It is not enough that a text talks about limits. One of its last lines begins with the words of a limit, after
// nothing but what programs put in front of an error; or it ends in the JSON of an error. now is what times are
// counted from, and its location that of times without one.
func LimitIn(text string, now time.Time) (Limit, bool) {
	limit := read(text, now)
	if !limit.Kind.limits() {
		return Limit{}, false
	}
	return limit, true
}

// read finds the cause that the last lines of a text tell of, and until when it holds.
func read(text string, now time.Time) Limit {
	text = text[max(0, len(text)-maxLimitText):]
	if limit, ok := causeInJSON(text, now); ok {
		return limit
	}
	last := lastLines(text, wordLines)
	for i, line := range last {
		if kind := causeInLine(line); kind != Crash {
			said := strings.Join(last[i:], "\n")
			return Limit{Kind: kind, Until: limitEnd(said, now)}
		}
	}
	return Limit{}
}

// OverflowIn tells whether the error of a server says that a request is longer than the model, or the tokens of a
// minute, take. Waiting does not help against it, a shorter request does.
func OverflowIn(text string) bool {
	return overflowWords.MatchString(text)
}

// lastLines gives the last n lines that are not blank, in their order.
func lastLines(text string, n int) []string {
	var lines []string
	for n > 0 && text != "" {
		cut := strings.LastIndexByte(text, '\n')
		if line := strings.TrimSpace(text[cut+1:]); line != "" {
			lines = append([]string{line}, lines...)
			n--
		}
		text = text[:max(cut, 0)]
	}
	return lines
}
