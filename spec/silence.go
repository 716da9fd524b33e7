package spec

import (
	"bytes"
	"slices"
)

func newPhaseReader(d *document) *phaseReader {
	r := &phaseReader{document: d, notPhase: map[int]bool{}}
	r.silence()
	return r
}

// silence notes the lines that such comments speak of: their own, else the one above or below that looks like a phase or is
// a heading, else the one above.
func (d *phaseReader) silence() {
	for _, c := range d.silences {
		first, last := d.line(c.start), d.line(c.end-1)
		if len(bytes.TrimSpace(d.src[d.lineStart(c.start):c.start])) == 0 && len(bytes.TrimSpace(d.src[c.end:d.lineEnd(c.end-1)])) == 0 {
			near := []int{first - 1, last + 1, first - 2, last + 2}
			first--
			if i := slices.IndexFunc(near, d.mayBePhase); i >= 0 {
				first = near[i]
			}
		}
		d.notPhase[first] = true
	}
}

func (d *phaseReader) mayBePhase(line int) bool {
	text := d.lineText(line)
	return len(text) > 0 && (text[0] == '#' || wordAt(text))
}
