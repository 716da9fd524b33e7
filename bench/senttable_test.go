package bench

import (
	"fmt"
	"slices"
	"strings"
)

// metric is a number as Go's benchmarks report it.
type metric struct {
	unit  string
	value float64
}

func (s sent) metrics() []metric {
	return []metric{
		{"dispatches", float64(s.dispatches)},
		{"requests", float64(s.requests)},
		{"sent-B", float64(s.bytes)},
		{"fresh-B", float64(s.fresh)},
		{"prefix-within-%", s.within.percent()},
		{"prefix-between-%", s.between.percent()},
		{"prefix-any-%", s.any.percent()},
		{"doubled-%", s.doubled.percent()},
		{"executor-B", float64(s.executor)},
		{"executor-own-B", float64(s.executorOwn)},
	}
}

// table is the same for a person, by persona and by section of the first prompts.
func (s sent) table() string {
	var t strings.Builder
	for _, m := range s.metrics() {
		fmt.Fprintf(&t, "%-40s %10.0f\n", m.unit, m.value)
	}
	byBytes(&t, "by persona", s.personas)
	byBytes(&t, "by section", s.sections)
	byBytes(&t, "an executor's first request", s.executorSections)
	return t.String()
}

func byBytes(t *strings.Builder, of string, sizes map[string]int) {
	fmt.Fprintf(t, "\nbytes %s\n", of)
	names := make([]string, 0, len(sizes))
	for name := range sizes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return sizes[b] - sizes[a] })
	for _, name := range names {
		fmt.Fprintf(t, "  %-38s %10d\n", name, sizes[name])
	}
}
