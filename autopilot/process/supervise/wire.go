package supervise

import (
	"errors"
	"io"
	"time"
)

// A message is its length in eight bytes, then its fields: numbers of eight bytes, texts as a length and their bytes (they
// may be no valid UTF-8), lists as a count and their elements. Both ends are the same program.

// longest is more than any system takes for the arguments and the environment of a program.
const longest = 1 << 30

var (
	errLong  = errors.New("the message is too long")
	errShort = errors.New("the message is cut off")
)

// Write sends the request.
func (q Request) Write(to io.Writer) error {
	var m message
	m.text(q.Secret, q.Path)
	m.texts(q.Argv)
	m.text(q.Dir)
	m.texts(q.Env)
	m.number(int64(q.Grace))
	m.text(q.Ended, q.Group)
	return m.send(to)
}

// ReadRequest receives what Request.Write sent.
func ReadRequest(from io.Reader) (Request, error) {
	m, err := receive(from)
	q := Request{Secret: m.takeText(), Path: m.takeText(), Argv: m.takeTexts(), Dir: m.takeText(), Env: m.takeTexts()}
	q.Grace, q.Ended, q.Group = time.Duration(m.take()), m.takeText(), m.takeText()
	return q, errors.Join(err, m.wrong)
}

// Write sends the report.
func (r Report) Write(to io.Writer) error {
	var m message
	m.number(int64(r.Pid), int64(r.Errno), truth(r.Done), int64(r.Code), int64(r.Signal), truth(r.Stopped))
	m.text(r.Failure)
	m.number(int64(len(r.Left)))
	for _, pid := range r.Left {
		m.number(int64(pid))
	}
	return m.send(to)
}

// WriteStop orders the end of the tree.
func WriteStop(to io.Writer) error {
	_, err := to.Write([]byte{1})
	return err
}

// ReadStop waits for the order that WriteStop gives.
func ReadStop(from io.Reader) error {
	_, err := io.ReadFull(from, make([]byte, 1))
	return err
}

func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
