package agent

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/lazyregexp"
	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// Thresholds at which advice is put in. At twice of each the dispatch ends.
const (
	sameCalls  = 3                // the same call with the same result
	samePairs  = 3                // two calls in turn
	idleTurns  = 10               // turns that brought nothing new
	fileEdits  = 3                // more edits than this of one file, without a check that passed: see reworked
	editWindow = 10 * time.Minute // in which edits of a file are counted
)

const stepBack = " Step back: the cause may be elsewhere. Say what you believe and what would show that it is wrong, look at that, " +
	"and when you cannot go on, submit a reply with status failed or blocked that says why."

// loops notices work that goes in circles. Calls are compared with their
// results: to run the tests again after an edit, or to wait for something that
// changes, is no circle.
type loops struct {
	now   func() time.Time // nil: the time stands still
	mask  *personas.Mask   // of what is told of the calls
	seen  map[digest]bool
	trail []digest // of the calls, newest last

	repeats map[digest]int // since the tree was last changed in a new way
	stalled map[digest]int // since anything new was seen
	counted map[digest]int // the turn in which a call was counted last: calls of one turn count once
	texts   map[digest]string

	news    bool // in this turn
	quiet   int  // turns without news
	edits   map[string][]edit
	advised map[string]bool
	most    struct{ repeats, edits int } // of one call with one result, of one file
}

type digest [sha256.Size]byte

func newLoops(now func() time.Time) *loops {
	l := &loops{now: now, seen: map[digest]bool{}, counted: map[digest]int{}, texts: map[digest]string{}, edits: map[string][]edit{}, advised: map[string]bool{}}
	l.forget()
	return l
}

// forget is told of a compaction: what is no longer in the conversation may be
// read again. That it was seen is not forgotten, so that reading and making
// room in turn comes to an end.
func (l *loops) forget() {
	l.repeats, l.stalled, l.trail = map[digest]int{}, map[digest]int{}, nil
}

// changing are the parts of a result that differ each time: durations, clock
// times, and the file that a long one is kept in.
var changing = lazyregexp.New(`results/\d+\.txt|\d+(\.\d+)?(ms|µs|ns|m?s|m)\b|\d\d:\d\d:\d\d(\.\d+)?|\(cached\)`)

// noise are besides, in what a command says that fails, the numbers: addresses, processes, names of temporary files. What was
// changed in between makes it another try whatever it says.
var noise = lazyregexp.New(`\b0x[0-9a-fA-F]+|\b[0-9a-f]{8,}\b|\d+`)

// essence is what of a result has to differ for it to be another one.
func essence(call personas.Call, result string) string {
	result = changing.ReplaceAllString(result, "")
	if unfit(call, result) {
		result = noise.ReplaceAllString(result, "")
	}
	return result
}

// unfit is a command that ran and failed.
func unfit(call personas.Call, result string) bool {
	return call.Name == "run_command" && !strings.HasPrefix(result, "exit code 0")
}

func (l *loops) called(turn int, call personas.Call, result string, failed error) {
	steady := essence(call, result)
	passed := call.Name == "run_command" && !unfit(call, result)
	d := digest(sha256.Sum256([]byte(call.Name + "\x00" + toolbox.Compact(call.Arguments) + "\x00" + steady)))
	if !l.seen[d] {
		l.seen[d] = true
		l.news = l.news || l.tells(call, result, steady, failed)
		clear(l.stalled)
		if failed == nil && (changes(call.Name) || passed) {
			clear(l.repeats)
		}
	}
	if failed == nil {
		l.edited(turn, call)
		if passed && isCheck(call.Arguments) && !strings.Contains(toolbox.FirstLine(result), toolbox.LastAlone) {
			clear(l.edits)
		}
	}
	if l.counted[d] == turn {
		return
	}
	l.counted[d] = turn
	l.repeats[d]++
	l.stalled[d]++
	l.most.repeats = max(l.most.repeats, l.repeats[d])
	l.texts[d] = called(l.mask, call)
	if l.trail = append(l.trail, d); len(l.trail) > 4*samePairs {
		l.trail = l.trail[1:]
	}
}

// tells says whether a call that was not made before brought anything new. What
// only looked, or failed, has to give another result than any before, whatever
// was asked; what was done and worked is new by itself. Steady is the result without what differs each time.
func (l *loops) tells(call personas.Call, result, steady string, failed error) bool {
	looked := slices.Contains([]string{"read_file", "list_files", "search", "git_diff", "git_show"}, call.Name)
	if failed == nil && !looked && !unfit(call, result) {
		return true
	}
	d := digest(sha256.Sum256([]byte(steady)))
	known := l.seen[d]
	l.seen[d] = true
	return !known
}

// talked is told of a turn without a call: it brings nothing new.
func (l *loops) talked() { l.news = false }

// judge is asked after each turn. It gives advice for the model once for each
// kind of circle, or the evidence that it goes on in spite of it.
func (l *loops) judge() (advice, stuck string) {
	if l.quiet++; l.news {
		l.quiet = 0
	}
	l.news = false
	for _, c := range []circle{l.pairs(), l.calls(), l.reworked(), l.idle()} {
		switch {
		case c.end:
			return "", c.evidence
		case !c.warn:
			delete(l.advised, c.kind)
		case !l.advised[c.kind] && advice == "":
			l.advised[c.kind] = true
			advice = c.evidence + "." + stepBack
		}
	}
	return advice, ""
}

// circle is what one rule has seen.
type circle struct {
	kind      string
	warn, end bool
	evidence  string
}

func (l *loops) calls() circle {
	c := circle{kind: "calls"}
	for _, d := range l.trail {
		if n := l.repeats[d]; n >= sameCalls && (!c.warn || l.stalled[d] >= 2*sameCalls) {
			c.warn, c.end = true, l.stalled[d] >= 2*sameCalls
			c.evidence = fmt.Sprintf("the same call was made %d times with the same result: %s", n, l.texts[d])
		}
	}
	return c
}

func (l *loops) pairs() circle {
	n := 0
	for i := len(l.trail) - 1; i >= 0 && len(l.trail) > 1; i-- {
		if l.trail[i] != l.trail[len(l.trail)-1-(len(l.trail)-1-i)%2] {
			break
		}
		n++
	}
	if n < 2*samePairs || l.trail[len(l.trail)-1] == l.trail[len(l.trail)-2] {
		return circle{kind: "pairs"}
	}
	a, b := l.texts[l.trail[len(l.trail)-2]], l.texts[l.trail[len(l.trail)-1]]
	return circle{
		"pairs", true, n >= 4*samePairs,
		fmt.Sprintf("two calls were made in turn %d times, each time with the same results: %s; %s", n/2, a, b),
	}
}

func (l *loops) idle() circle {
	return circle{"idle", l.quiet >= idleTurns, l.quiet >= 2*idleTurns, fmt.Sprintf("%d turns in a row brought nothing that was not known before", l.quiet)}
}
