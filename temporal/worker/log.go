package worker

import (
	"fmt"
	"io"
)

// log begins each message with the session and the act that it is about: several are at work in one worker.
type log struct {
	to  io.Writer
	act string
}

// log is where messages about the act go.
func (d *desk) log() io.Writer { return log{d.worker.Host.Err, d.id + " " + d.act.ID} }

func (l log) Write(p []byte) (int, error) {
	if _, err := fmt.Fprintf(l.to, "%s  %s", l.act, p); err != nil {
		return 0, err
	}
	return len(p), nil
}
