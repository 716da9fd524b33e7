package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/words"
	"autopilot/sessions/view"
)

const (
	chartWidth = 960
	chartLeft  = 84 // of lane names
	laneHeight = 30
	laneTop    = 22
	foldWidth  = 46
	idle       = 10 * time.Minute // a longer gap is folded
	thinnest   = 2.0
	mostSpans  = 1500 // more are too many to load, and too small to see
)

// chart is the timeline as it is drawn.
type chart struct {
	Width, Height int
	Lanes         []chartLane
	Bars          []bar
	Folds         []label
	Legend        []legend
	Ticks         []label
	scale         scale
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
	c := chart{Width: chartWidth, scale: scaleOf(spans)}
	y := laneTop
	for _, name := range laneOrder {
		for i, row := range rows(spans, name) {
			shown := name
			if i > 0 {
				shown = fmt.Sprintf("%s %d", name, i+1)
			}
			c.Lanes = append(c.Lanes, chartLane{shown, y, y + laneHeight/2 + 4})
			for _, s := range row {
				x := c.scale.x(s.Start)
				c.Bars = append(c.Bars, bar{x, max(thinnest, round(c.scale.x(s.End)-x)), y + 5, laneHeight - 10, s.Class, titleOf(s)})
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

// Chart draws spans as HTML: a picture of them, and what its colours mean. It needs the classes of page.css.
func Chart(spans []Span, zone *time.Location) (template.HTML, error) {
	var b strings.Builder
	err := pageForm().ExecuteTemplate(&b, "chart", chartOf(spans, zone))
	return template.HTML(b.String()), err //nolint:gosec // the template escapes what it is given
}

// spans are those of the journal, and those that are not over yet.
func (f Facts) spans() []Span {
	if f.Record == nil {
		return nil
	}
	return f.Record.Until(f.At, f.Session.Running, f.Done())
}

// Until are the spans until a time, the last mostSpans of them. What has not ended is cut off at the last event, unless a run is
// at work on it; a question stays open until the session is done.
func (t *Timeline) Until(at time.Time, running, done bool) []Span {
	until, class := t.last, "cut"
	if running {
		until, class = at, "open"
	}
	spans := slices.Clone(t.Spans)
	for _, b := range t.flight {
		s := b.span()
		s.End, s.Class = until, class
		spans = append(spans, s)
	}
	if t.gate != "" && !done {
		spans = append(spans, Span{Lane: "You", Start: t.asked, End: at, Class: "wait", What: "the question is open"})
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.Task, b.Task)) })
	return spans[max(0, len(spans)-mostSpans):]
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

// titleOf says what a span was.
func titleOf(s Span) string {
	about := ""
	if s.Task != "" {
		about = "task " + taskNumber(s.Phase, s.Task)
	} else if s.Phase > 0 {
		about = fmt.Sprintf("phase %d", s.Phase)
	}
	attempt := ""
	if s.Attempt > 0 && s.Task != "" {
		attempt = fmt.Sprintf("attempt %d", s.Attempt)
	}
	return joined(dot, words.OneLine(s.What), about, attempt, ended(s.Class), took(s.End.Sub(s.Start).Seconds()), view.Dollars(s.USD))
}

// ended says how a span of a class ended.
func ended(class string) string {
	at := slices.IndexFunc(legends, func(l legend) bool { return l.Class == class && class != "wait" })
	if at < 0 {
		return ""
	}
	return legends[at].Name
}

// scale places times in the chart; gaps in which nothing went on are folded.
type scale struct {
	parts []part
	by    float64 // columns a second
}

// part is a time in which something went on.
type part struct {
	from, to time.Time
	x        float64
}

func scaleOf(spans []Span) scale {
	var s scale
	for _, span := range busyIn(spans) {
		if n := len(s.parts); n > 0 && span.Start.Sub(s.parts[n-1].to) <= idle {
			if span.End.After(s.parts[n-1].to) {
				s.parts[n-1].to = span.End
			}
			continue
		}
		s.parts = append(s.parts, part{from: span.Start, to: span.End})
	}
	busy := 0.0
	for _, p := range s.parts {
		busy += max(1, p.to.Sub(p.from).Seconds())
	}
	room := float64(chartWidth - chartLeft - 8 - foldWidth*max(0, len(s.parts)-1))
	s.by = max(0, room) / max(1, busy)
	x := float64(chartLeft)
	for i, p := range s.parts {
		s.parts[i].x = x
		x += max(1, p.to.Sub(p.from).Seconds())*s.by + foldWidth
	}
	return s
}

// edge is as much of each end of a long wait as is not folded.
const edge = time.Minute

// busyIn are the times that are drawn to scale: of a long wait its beginning and its end.
func busyIn(spans []Span) (busy []Span) {
	for _, s := range spans {
		if s.Class != "wait" || s.End.Sub(s.Start) <= idle+2*edge {
			busy = append(busy, s)
			continue
		}
		busy = append(busy, Span{Start: s.Start, End: s.Start.Add(edge)}, Span{Start: s.End.Add(-edge), End: s.End})
	}
	slices.SortStableFunc(busy, func(a, b Span) int { return a.Start.Compare(b.Start) })
	return busy
}

// x is the column of a time.
func (s scale) x(t time.Time) float64 {
	for _, p := range slices.Backward(s.parts) {
		if !t.Before(p.from) {
			return round(p.x + min(t.Sub(p.from).Seconds(), max(1, p.to.Sub(p.from).Seconds()))*s.by)
		}
	}
	return chartLeft
}

func round(x float64) float64 { return float64(int(x*10+0.5)) / 10 }

// folds say how long nothing went on.
func (s scale) folds() (list []label) {
	for i := 1; i < len(s.parts); i++ {
		list = append(list, label{round(s.parts[i].x - foldWidth/2), "//" + roughly(s.parts[i].from.Sub(s.parts[i-1].to))})
	}
	return list
}

// roughly writes a gap: 40 min, 2 h, 3 d.
func roughly(d time.Duration) string {
	switch {
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()+0.5))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24+0.5))
}

const tickRoom = 90 // columns that a time needs

// ticks are times along the chart, the beginning of each part among them.
func (s scale) ticks(zone *time.Location) (list []label) {
	last := -float64(tickRoom)
	for i, p := range s.parts {
		end := p.x + p.to.Sub(p.from).Seconds()*s.by
		for x := p.x; x < end-tickRoom/2 || x == p.x; x += tickRoom * 1.5 {
			if x-last < tickRoom*0.6 {
				continue
			}
			at := p.from.Add(time.Duration((x - p.x) / max(s.by, 1e-9) * float64(time.Second))).In(zone)
			form := "15:04"
			switch {
			case i == 0 && x == p.x:
				form = "2 Jan 15:04"
			case p.to.Sub(s.parts[0].from) < 10*time.Minute:
				form = "15:04:05"
			}
			list, last = append(list, label{round(x), at.Format(form)}), x
		}
	}
	return list
}
