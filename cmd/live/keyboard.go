package live

import (
	"os"
	"unicode/utf8"

	"github.com/muesli/cancelreader"
)

// keyboard reads keys one by one, and can be told to stop: nothing that is typed then is taken from who reads next.
type keyboard struct {
	reader  cancelreader.CancelReader
	restore func() error
	done    chan struct{}
}

// listen hears keys from now on, where a person has a keyboard that belongs to this process.
func (l *Live) listen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	in, is := l.Host.In.(*os.File)
	if !is || l.keyboard != nil || !l.Host.Terminal || !l.Region && !l.Accessible || !inForeground(l.Host) {
		return
	}
	restore := func() error { return nil }
	var err error
	if !l.Accessible {
		if restore, err = singleKeys(in); err != nil {
			return // without keys the run is shown all the same
		}
	}
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		_ = restore()
		return
	}
	l.keyboard = &keyboard{reader: reader, restore: restore, done: make(chan struct{})}
	go l.keyboard.read(l.keys)
}

// deaf hears no keys any more, and gives the terminal back its lines.
func (l *Live) deaf() {
	l.mu.Lock()
	k := l.keyboard
	l.keyboard = nil
	l.mu.Unlock()
	if k == nil {
		return
	}
	if k.reader.Cancel() {
		<-k.done
		_ = k.reader.Close()
	}
	_ = k.restore() // of a terminal that went away nothing is left to restore
}

// read hands over what is typed. A key that is more than a character, such as an arrow, is none of ours.
func (k *keyboard) read(keys chan<- rune) {
	defer close(k.done)
	buffer := make([]byte, 256)
	for {
		n, err := k.reader.Read(buffer)
		if err != nil {
			return
		}
		for text := buffer[:n]; len(text) > 0 && (text[0] != escape || len(text) == 1); {
			r, size := utf8.DecodeRune(text)
			text = text[size:]
			select {
			case keys <- r:
			default: // nobody types that fast
			}
		}
	}
}
