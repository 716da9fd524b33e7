package bench

import (
	"regexp"
	"strings"
)

// sent is what the requests of a session come to, in bytes.
type sent struct {
	dispatches, requests, bytes int
	personas, sections          map[string]int
	within, between, any        share          // prefix in common with the request before it, in the same dispatch or not; with any before it
	fresh                       int            // bytes that no request before it has at its beginning, which a cache of prefixes does not spare
	doubled                     share          // lines that the request has already
	executor                    int            // the largest first request of an executor, beside task and code
	executorOwn                 int            // of that, what the program itself adds: without what the repository and the spec say
	executorSections            map[string]int // of that request, with task and code
}

// share is a part of a whole.
type share struct{ part, whole int }

func (s *share) add(part, whole int) { s.part, s.whole = s.part+part, s.whole+whole }

func (s share) percent() float64 { return 100 * float64(s.part) / float64(max(1, s.whole)) }

func (o *outcome) sent() sent {
	s := sent{personas: map[string]int{}, sections: map[string]int{}}
	for i, r := range o.server.requests {
		s.requests++
		s.bytes += r.bytes
		s.personas[personaOf(r)] += r.bytes
		s.divide(r)
		s.doubled.add(doubled(r.text), len(r.text))
		if r.turn == 0 {
			s.first(r)
		}
		longest := 0
		for _, before := range o.server.requests[:i] {
			longest = max(longest, commonPrefix(r.stream, before.stream))
		}
		s.fresh += len(r.stream) - longest
		if i == 0 {
			continue
		}
		common := commonPrefix(r.stream, o.server.requests[i-1].stream)
		if r.turn > 0 {
			s.within.add(common, len(r.stream))
			continue
		}
		s.between.add(common, len(r.stream))
		s.any.add(longest, len(r.stream))
	}
	return s
}

func personaOf(r request) string {
	if r.key.Task == "blind" || r.key.Task == "final" {
		return r.key.Persona + ", " + r.key.Task
	}
	return r.key.Persona
}

// divide counts a request by the sections of the first prompt, which each request of a dispatch sends, and what came after it.
func (s *sent) divide(r request) {
	rest := r.bytes
	for name, n := range r.sections {
		s.sections[name] += n
		rest -= n
	}
	s.sections["(conversation since, and JSON)"] += rest
}

// taskAndCode are the sections of an executor's prompt that say what to do, and show code.
var taskAndCode = regexp.MustCompile(`(?i)^(the task|task |the findings|file |what these files import|what went wrong|what was changed)`)

// theirs are the sections that hold what the repository and the spec say.
var theirs = regexp.MustCompile(`(?i)^(the repository's own guide|the phase|success criteria|the plan)`)

func (s *sent) first(r request) {
	s.dispatches++
	if r.key.Persona != "executor" {
		return
	}
	beside, own := r.bytes, r.bytes
	for name, n := range r.sections {
		switch {
		case taskAndCode.MatchString(name):
			beside, own = beside-n, own-n
		case theirs.MatchString(name):
			own -= n
		}
	}
	if beside > s.executor {
		s.executor, s.executorOwn, s.executorSections = beside, own, r.sections
	}
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// mark is what tools and diffs put before a line.
var mark = regexp.MustCompile(`^\s*(\d+[:|\t]\s?|[-+ ])?`)

// doubled counts the bytes of lines of 40 bytes and more that stand above in the same text.
func doubled(text string) (n int) {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(mark.ReplaceAllString(line, ""))
		if len(line) < 40 {
			continue
		}
		if seen[line] {
			n += len(line)
		}
		seen[line] = true
	}
	return n
}
