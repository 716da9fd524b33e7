package supervise

import "io"

// message is one that is put together, or taken apart from its beginning.
type message struct {
	body  []byte
	wrong error // it ended before a field that was taken
}

func (m *message) number(all ...int64) {
	for _, n := range all {
		for shift := 0; shift < 64; shift += 8 {
			m.body = append(m.body, byte(uint64(n)>>shift))
		}
	}
}

func (m *message) text(all ...string) {
	for _, t := range all {
		m.number(int64(len(t)))
		m.body = append(m.body, t...)
	}
}

func (m *message) texts(all []string) {
	m.number(int64(len(all)))
	m.text(all...)
}

func (m *message) send(to io.Writer) error {
	if len(m.body) > longest {
		return errLong
	}
	var whole message
	whole.text(string(m.body))
	_, err := to.Write(whole.body)
	return err
}

// receive reads one message and nothing behind it.
func receive(from io.Reader) (message, error) {
	length := message{body: make([]byte, 8)}
	if _, err := io.ReadFull(from, length.body); err != nil {
		return message{}, err
	}
	size := length.take()
	if size < 0 || size > longest {
		return message{}, errLong
	}
	body, err := io.ReadAll(io.LimitReader(from, size))
	if err == nil && int64(len(body)) < size {
		err = errShort
	}
	return message{body: body}, err
}

// cut takes so many bytes from the beginning.
func (m *message) cut(n int64) []byte {
	if n < 0 || n > int64(len(m.body)) {
		m.body, m.wrong = nil, errShort
		return nil
	}
	first := m.body[:n]
	m.body = m.body[n:]
	return first
}

func (m *message) take() int64 {
	n := uint64(0)
	for i, b := range m.cut(8) {
		n |= uint64(b) << (8 * i)
	}
	return int64(n)
}

// count is how many elements follow, each of which takes eight bytes at least.
func (m *message) count() int64 {
	n := m.take()
	if n < 0 || n > int64(len(m.body)/8) {
		m.body, m.wrong = nil, errShort
		return 0
	}
	return n
}

func (m *message) takeText() string { return string(m.cut(m.take())) }

func (m *message) takeTexts() []string {
	all := make([]string, m.count())
	for i := range all {
		all[i] = m.takeText()
	}
	return all
}
