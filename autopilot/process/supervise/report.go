package supervise

import (
	"errors"
	"io"
	"syscall"
)

// ReadReport receives what Report.Write sent.
func ReadReport(from io.Reader) (Report, error) {
	m, err := receive(from)
	r := Report{Pid: int(m.take()), Errno: int(m.take()), Done: m.take() == 1, Code: int(m.take())}
	r.Signal, r.Stopped, r.Failure = syscall.Signal(m.take()), m.take() == 1, m.takeText()
	for range m.count() {
		r.Left = append(r.Left, int(m.take()))
	}
	return r, errors.Join(err, m.wrong)
}
