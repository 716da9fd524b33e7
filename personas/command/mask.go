package command

import (
	"bytes"
	"fmt"
	"io"

	"autopilot/personas"
)

// mask passes output on with the secrets replaced, also where one arrives in
// pieces. Nothing else is changed.
type mask struct {
	secrets [][]byte // the longest first
	to      io.Writer
	held    []byte // the end of what was written, which may begin a secret
}

func newMask(secrets []string, to ...io.Writer) *mask {
	m := &mask{to: io.MultiWriter(to...)}
	for _, s := range secrets {
		m.secrets = append(m.secrets, []byte(s))
	}
	return m
}

func (m *mask) Write(p []byte) (int, error) {
	buf := append(m.held, p...)
	for _, s := range m.secrets {
		if bytes.Contains(buf, s) {
			buf = bytes.ReplaceAll(buf, s, []byte(personas.Masked))
		}
	}
	safe := m.safe(buf)
	_, err := m.to.Write(buf[:safe])
	m.held = append([]byte(nil), buf[safe:]...)
	return len(p), err
}

// safe is how much of buf no secret can reach into.
func (m *mask) safe(buf []byte) int {
	safe := len(buf)
	for _, s := range m.secrets {
		for n := min(len(s)-1, len(buf)); n > len(buf)-safe; n-- {
			if bytes.HasPrefix(s, buf[len(buf)-n:]) {
				safe = len(buf) - n
			}
		}
	}
	return safe
}

// flush passes on what is held: the output has ended.
func (m *mask) flush() error {
	_, err := m.to.Write(m.held)
	m.held = nil
	if err != nil {
		return fmt.Errorf("writing the output of a command: %w", err)
	}
	return nil
}
