package process

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// pump carries a command's output to its writer, 32 KiB at a time, and knows
// when it last moved.
type pump struct {
	from  *os.File
	moved *atomic.Int64 // counts reads that brought something; of both streams of a command
	busy  atomic.Bool   // the writer, not the command, is what takes time
	done  chan struct{}
	err   error // of the writer; read after done
}

func newPump(from *os.File, to io.Writer) *pump {
	if to == nil {
		to = io.Discard
	}
	p := &pump{from: from, moved: new(atomic.Int64), done: make(chan struct{})}
	go p.carry(to)
	return p
}

// beside carries standard error, whose moves count for p as well. Without a
// stream of its own there is nothing to carry.
func (p *pump) beside(from *os.File, to io.Writer) *pump {
	q := &pump{from: from, moved: p.moved, done: make(chan struct{})}
	if from == nil {
		close(q.done)
		return q
	}
	go q.carry(to)
	return q
}

// carry goes on reading when the writer fails: a full disk must not make the
// command hang on a full pipe.
func (p *pump) carry(to io.Writer) {
	defer close(p.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.from.Read(buf)
		if n > 0 {
			p.busy.Store(true)
			p.moved.Add(1)
			p.write(to, buf[:n])
			p.busy.Store(false)
		}
		if err != nil {
			return
		}
	}
}

func (p *pump) write(to io.Writer, b []byte) {
	if p.err != nil {
		return
	}
	n, err := to.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		p.err = fmt.Errorf("writing the output of a command: %w", err)
	}
}

// silence closes its channel once nothing has moved for limit; nil without one.
func (p *pump) silence(limit time.Duration) <-chan struct{} {
	if limit <= 0 {
		return nil
	}
	quiet := make(chan struct{})
	go func() {
		if p.untilSilent(limit) {
			close(quiet)
		}
	}()
	return quiet
}

// looks is how often a silence is looked at before it counts as one.
const looks = 4

// untilSilent looks four times per limit, so that it notices within a quarter
// of it; false means that the output ended first. Looks are counted instead of
// time: while the program itself is stopped, nobody listens.
func (p *pump) untilSilent(limit time.Duration) bool {
	tick := time.NewTicker(max(limit/looks, time.Millisecond))
	defer tick.Stop()
	last, quiet := p.moved.Load(), 0
	for {
		select {
		case <-p.done:
			return false
		case <-tick.C:
			now := p.moved.Load()
			if now != last || p.busy.Load() {
				last, quiet = now, 0
			} else if quiet++; quiet >= looks {
				return true
			}
		}
	}
}

// drain waits for the rest of the output. A process that was handed the pipe
// from outside the tree can hold it open for ever, so silence ends it too.
func (p *pump) drain(pause time.Duration) error {
	if p.untilSilent(pause) {
		p.from.Close()
		<-p.done
	}
	return p.err
}
