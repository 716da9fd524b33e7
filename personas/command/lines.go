package command

import "bytes"

// LongestLine is how long a line may be that Lines takes, in bytes. A longer one, such as the output of a command within
// an event, is passed over whole. The library that speaks the Agent Client Protocol gives up on one of 10 MB.
const LongestLine = 8 << 20

// Lines cuts what is written to it into lines, and passes over those that are blank.
type Lines struct {
	Take    func(line []byte) // gets each line, without its end and the space around it, for as long as the call lasts
	TooLong func()            // is told of a line that is passed over for its length; nil: nobody is

	buf  []byte
	skip bool // the rest of a line that is too long
}

// Write takes a piece of any size. It never fails.
func (l *Lines) Write(p []byte) (int, error) {
	n := len(p)
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		if !l.skip && len(l.buf)+len(line) > LongestLine {
			l.skip, l.buf = true, nil
			if l.TooLong != nil {
				l.TooLong()
			}
		}
		if !l.skip {
			l.buf = append(l.buf, line...)
		}
		if !whole {
			return n, nil
		}
		l.End()
		p = rest
	}
}

// End takes the line as it is: the output has ended, maybe without a line's end.
func (l *Lines) End() {
	if line := bytes.TrimSpace(l.buf); len(line) > 0 {
		l.Take(line)
	}
	if l.buf, l.skip = l.buf[:0], false; cap(l.buf) > LongestLine/8 {
		l.buf = nil // one long line does not hold its memory for the whole run
	}
}
