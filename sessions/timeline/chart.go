package timeline

import (
	_ "embed" // the template
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"

	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

//go:embed chart.tmpl
var chartText string

// form is the template; only a page needs it.
var form = sync.OnceValue(func() *template.Template { return template.Must(template.New("chart").Parse(chartText)) })

const (
	width      = 960
	laneHeight = 30
	laneTop    = 22
	thinnest   = 2.0
)

// chart is the timeline as it is drawn.
type chart struct {
	Width, Height int
	Lanes         []chartLane
	Bars          []bar
	Folds         []label
	Legend        []legend
	Ticks         []label
	scale         Scale
}

type chartLane struct {
	Name string
	Y    int
	Text int
}

type bar struct {
	X, Width  float64
	Y, Height int
	Class     string
	Title     string
}

type label struct {
	X    float64
	Text string
}

type legend struct{ Class, Name string }

// legends name the classes of spans.
var legends = []legend{{"ok", "passed"}, {"failed", "failed"}, {"cut", "cut off"}, {"open", "at work"}, {"wait", "waiting"}}

// laneOrder is the order of lanes from above; those of the executor are numbered where several were at work at once.
var laneOrder = []string{"Planner", "Executor", "Checks", "Reviewer", "You", "Limits"}

// chartOf draws spans.
func chartOf(spans []Span, zone *time.Location) chart {
	c := chart{Width: width, scale: ScaleOf(spans)}
	y := laneTop
	for _, name := range laneOrder {
		for i, row := range rows(spans, name) {
			shown := name
			if i > 0 {
				shown = fmt.Sprintf("%s %d", name, i+1)
			}
			c.Lanes = append(c.Lanes, chartLane{shown, y, y + laneHeight/2 + 4})
			for _, s := range row {
				x := c.scale.X(s.Start)
				c.Bars = append(c.Bars, bar{x, max(thinnest, Round(c.scale.X(s.End)-x)), y + 5, laneHeight - 10, s.Class, s.title()})
			}
			y += laneHeight
		}
	}
	for _, l := range legends {
		if slices.ContainsFunc(spans, func(s Span) bool { return s.Class == l.Class }) {
			c.Legend = append(c.Legend, l)
		}
	}
	c.Height = y + 4
	c.Folds, c.Ticks = c.scale.folds(), c.scale.ticks(zone)
	return c
}

// Chart draws spans as HTML: a picture of them, and what its colours mean. A page has styles for its classes.
func Chart(spans []Span, zone *time.Location) (template.HTML, error) {
	if len(spans) == 0 {
		return "", nil
	}
	var b strings.Builder
	err := form().Execute(&b, chartOf(spans, zone))
	return template.HTML(b.String()), err //nolint:gosec // the template escapes what it is given
}

// rows puts the spans of a lane into as few rows as keep them apart.
func rows(spans []Span, lane string) (list [][]Span) {
	for _, s := range spans {
		if s.Lane != lane {
			continue
		}
		at := slices.IndexFunc(list, func(row []Span) bool { return lane != "Executor" || !row[len(row)-1].End.After(s.Start) })
		if at < 0 {
			list = append(list, nil)
			at = len(list) - 1
		}
		list[at] = append(list[at], s)
	}
	return list
}

// title says what a span was.
func (s Span) title() string {
	parts := []string{words.OneLine(s.What)}
	switch {
	case s.Task != "":
		parts = append(parts, "task "+TaskNumber(s.Phase, s.Task))
	case s.Phase > 0:
		parts = append(parts, fmt.Sprintf("phase %d", s.Phase))
	}
	if s.Attempt > 0 && s.Task != "" {
		parts = append(parts, fmt.Sprintf("attempt %d", s.Attempt))
	}
	parts = append(parts, s.Ended(), words.Took(s.End.Sub(s.Start).Seconds()), view.Dollars(s.USD))
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
}

// Ended says how it ended; "" of a wait.
func (s Span) Ended() string {
	at := slices.IndexFunc(legends, func(l legend) bool { return l.Class == s.Class && s.Class != "wait" })
	if at < 0 {
		return ""
	}
	return legends[at].Name
}
