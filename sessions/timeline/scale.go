package timeline

import (
	"fmt"
	"slices"
	"time"
)

// Left is the column at which the chart begins; before it are the names of lanes.
const Left = 84

const (
	foldWidth = 46
	idle      = 10 * time.Minute // a longer gap is folded
)

// Scale places times in the chart; gaps in which nothing went on are folded.
type Scale struct {
	parts []part
	by    float64 // columns a second
}

// part is a time in which something went on.
type part struct {
	from, to time.Time
	x        float64
}

// ScaleOf is the scale on which spans are drawn.
func ScaleOf(spans []Span) Scale {
	var s Scale
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
	room := float64(width - Left - 8 - foldWidth*max(0, len(s.parts)-1))
	s.by = max(0, room) / max(1, busy)
	x := float64(Left)
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

// X is the column of a time.
func (s Scale) X(t time.Time) float64 {
	for _, p := range slices.Backward(s.parts) {
		if !t.Before(p.from) {
			return Round(p.x + min(t.Sub(p.from).Seconds(), max(1, p.to.Sub(p.from).Seconds()))*s.by)
		}
	}
	return Left
}

// Round leaves of a column what can be seen.
func Round(x float64) float64 { return float64(int(x*10+0.5)) / 10 }

// folds say how long nothing went on.
func (s Scale) folds() (list []label) {
	for i := 1; i < len(s.parts); i++ {
		list = append(list, label{Round(s.parts[i].x - foldWidth/2), "//" + roughly(s.parts[i].from.Sub(s.parts[i-1].to))})
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
func (s Scale) ticks(zone *time.Location) (list []label) {
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
			list, last = append(list, label{Round(x), at.Format(form)}), x
		}
	}
	return list
}
