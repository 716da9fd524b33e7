package live

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"autopilot/cmd/console"
)

// Actions are what the keys do. One that is missing has no key.
type Actions struct {
	Pause func() error                             // after the task
	Note  func(text string) error                  // for the next agent run
	Open  map[rune]func(ctx context.Context) error // full screen: d, the diff; l, what the agent printed; v, the plan
	Stop  func()                                   // as Ctrl-C; nil where it is another process's run, which is left
	Leave func()                                   // of who only watches
}

// mode is what a key means.
type mode int

const (
	usualKeys mode = iota
	asking         // whether to stop
	noting         // it belongs to a note
	helping        // it ends the help
)

// typing is what a person is at.
type typing struct {
	mode  mode
	note  string
	flash string // what came of the last key
}

const (
	backspace = 127
	escape    = 27
)

// press does what a key says.
func (l *Live) press(ctx context.Context, key rune) {
	if l.Accessible {
		if key == '\n' {
			l.tell()
		}
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &l.typing
	t.flash = ""
	switch t.mode {
	case helping:
		t.mode = usualKeys
	case asking:
		if t.mode = usualKeys; key == 'y' || key == 'Y' {
			l.Actions.Stop()
		}
	case noting:
		l.noteKey(key)
	default:
		l.usualKey(ctx, key)
	}
}

func (l *Live) usualKey(ctx context.Context, key rune) {
	t := &l.typing
	switch {
	case key == '?':
		t.mode = helping
	case key == 'n' && l.Actions.Note != nil:
		t.mode, t.note = noting, ""
	case key == 'q' && l.Actions.Stop != nil:
		t.mode = asking
	case key == 'q' && l.Actions.Leave != nil:
		l.Actions.Leave()
	case key == 'p' && l.Actions.Pause != nil:
		t.flash = outcome(l.Actions.Pause(), "Pauses after this task")
	case l.Actions.Open[key] != nil:
		l.open(ctx, l.Actions.Open[key])
	}
}

// open gives the screen to a viewer; l.mu is held.
func (l *Live) open(ctx context.Context, view func(context.Context) error) {
	if !l.terminal.TryLock() {
		return // a question has just been asked
	}
	l.mu.Unlock()
	back := l.yield(&l.covered)
	err := view(ctx)
	back()
	l.mu.Lock()
	l.typing.flash = outcome(err, "")
}

func (l *Live) noteKey(key rune) {
	t := &l.typing
	switch {
	case key == escape:
		*t = typing{}
	case (key == '\n' || key == '\r') && strings.TrimSpace(t.note) != "":
		*t = typing{flash: outcome(l.Actions.Note(strings.TrimSpace(t.note)), "Noted for the next agent run")}
	case key == '\n' || key == '\r':
		*t = typing{}
	case (key == backspace || key == '\b') && t.note != "":
		_, n := utf8.DecodeLastRuneInString(t.note)
		t.note = t.note[:len(t.note)-n]
	case unicode.IsPrint(key):
		t.note += string(key)
	}
}

// outcome says that something was done, or why it was not.
func outcome(err error, done string) string {
	if err != nil {
		return console.OneLine(err.Error())
	}
	return done
}

// tell prints what runs now, for who has asked.
func (l *Live) tell() {
	if s, known := l.Now(); known {
		now := l.Host.Now()
		l.Add(lineOf(now, sentence(s, now)))
	}
}

// keyRow is the row of keys, or what is asked there.
func (c screen) keyRow() row {
	short := c.narrow() || c.columns < 78
	switch t := c.typing; {
	case t.mode == asking:
		return row{c.of("  Stop this run? y/N ", bold)}
	case t.mode == noting:
		end := row{c.of("enter send · esc leave", faint)}
		said, room := t.note, c.columns-end.width()-len("  note: _  ")
		for width(said) > room {
			_, n := utf8.DecodeRuneInString(said)
			said = said[n:]
		}
		return between(row{c.of("  note: ", bold), {c.Text(said) + "_", usual}}, end, c.columns, c.Look)
	case t.flash != "":
		return row{{"  " + c.Told(t.flash), bold}}.cut(c.columns, c.Look)
	case !c.stopping.IsZero():
		return nil
	}
	var parts []string
	for _, k := range c.actions.keys() {
		if parts = append(parts, k.key); !short {
			parts[len(parts)-1] += " " + k.word
		}
	}
	end, dot := "ctrl-c stop and save", " · "
	if c.actions.Leave != nil {
		end = "q leave, the run goes on"
	}
	if short {
		end, dot = map[bool]string{false: "^C stop", true: "q leave"}[c.actions.Leave != nil], " "
	}
	return between(row{c.of("  "+strings.Join(parts, dot), faint)}, row{c.of(end, faint)}, c.columns, c.Look)
}

// keyHelp is a key, what it does in a word, and in full.
type keyHelp struct{ key, word, full string }

// keys are those that do something.
func (a Actions) keys() []keyHelp {
	var keys []keyHelp
	if a.Pause != nil {
		keys = append(keys, keyHelp{"p", "pause", "pause after this task"})
	}
	for _, k := range []keyHelp{{"d", "diff", "changes of this task so far"}, {"l", "log", "what the agent prints"}, {"v", "plan", "the plan of this phase"}} {
		if a.Open[rune(k.key[0])] != nil {
			keys = append(keys, k)
		}
	}
	if a.Note != nil {
		keys = append(keys, keyHelp{"n", "note", "note for the next agent run"})
	}
	if len(keys) == 0 {
		return nil
	}
	return append(keys, keyHelp{"?", "help", "this help"})
}

// help are rows that say what the keys do, two in each where there is room.
func (c screen) help() []row {
	keys := c.actions.keys()
	if c.actions.Stop != nil {
		keys = append(keys, keyHelp{"q", "", "stop this run"})
	}
	columns := 2
	if c.narrow() {
		columns = 1
	}
	var rows []row
	for i := 0; i < len(keys) && len(rows) < tallest-3; i += columns {
		var r row
		for _, k := range keys[i:min(len(keys), i+columns)] {
			text := k.full
			if columns > 1 {
				text += strings.Repeat(" ", max(0, 32-len(text)))
			}
			r = append(r, c.of("  "+k.key+"  ", bold), c.of(text, usual))
		}
		rows = append(rows, r.cut(c.columns, c.Look))
	}
	return rows
}
