package form

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/sessions/view"
)

// press does what a key says while an option is being chosen: a key of something to look at comes before an option's letter.
func (f *form) press(key string) (tea.Model, tea.Cmd) {
	switch n, err := strconv.Atoi(key); {
	case err == nil && n >= 1 && n <= len(f.choices):
		f.at = n - 1
	case key == "up" || key == "k":
		f.at = max(0, f.at-1)
	case key == "down" || key == "j":
		f.at = min(len(f.choices)-1, f.at+1)
	case key == "esc":
		f.at = len(f.choices) - 1 // stop: the question stays open
	case key == "enter":
		return f.choose(f.choices[f.at])
	case key == "n" && f.Note != nil:
		return f, f.ask(nil)
	case key == "e" && f.editable():
		return f.close(&PlanError{EditPlan})
	case key == "v", len(key) == 1 && f.Texts[rune(key[0])] != nil:
		return f, f.open(rune(key[0]))
	default:
		f.seek(key)
	}
	return f, nil
}

// editable says whether the question is about a plan that is there to be edited.
func (f *form) editable() bool { return f.v.Gate.Kind == machine.GateApprovePlan }

// seek goes to the next option that begins with a letter.
func (f *form) seek(letter string) {
	for i := range f.choices {
		if at := (f.at + 1 + i) % len(f.choices); strings.HasPrefix(f.choices[at].Word, letter) {
			f.at = at
			return
		}
	}
}

// choose answers with an option, or asks what it wants to know besides.
func (f *form) choose(c view.Choice) (tea.Model, tea.Cmd) {
	if c.Name == EditPlan || c.Name == DraftPlan {
		return f.close(&PlanError{c.Name})
	}
	if c.Name == machine.Stop {
		return f.close(halt.ErrStop)
	}
	offered := f.v.Gate.Offered()
	at := slices.IndexFunc(offered, func(o machine.Option) bool { return o.Name == c.Name })
	f.answer = machine.Answer{Gate: f.v.Gate.ID, Option: c.Name, By: "human"}
	more, asks := console.FollowUpOf(f.v.Gate.Gate, offered[at])
	if !asks {
		return f.close(nil)
	}
	return f, f.ask(&more)
}

// ask opens the text box: for what an option asks besides, or for a note.
func (f *form) ask(more *console.FollowUp) tea.Cmd {
	f.more, f.noting = more, more == nil
	f.text.Reset()
	return f.text.Focus()
}

// write is a message while a text is being written.
func (f *form) write(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch key, _ := msg.(tea.KeyPressMsg); key.String() {
	case "esc":
		f.more, f.noting = nil, false
		return f, nil
	case "enter":
		return f.written(f.text.Value())
	}
	var cmd tea.Cmd
	f.text, cmd = f.text.Update(msg)
	return f, cmd
}

func (f *form) written(text string) (tea.Model, tea.Cmd) {
	if f.noting {
		if f.noting = false; strings.TrimSpace(text) != "" {
			f.flash = outcome(f.Note(strings.TrimSpace(text)), "Noted for the next agent run")
		}
		return f, nil
	}
	if err := f.more.Take(&f.answer, text); err != nil {
		f.flash = err.Error()
		return f, nil
	}
	return f.close(nil)
}

// reads is what a key shows; v: all that the question is about, and the plan.
func (f *form) reads(ctx context.Context, key rune) (Text, error) {
	var t Text
	var err error
	if show := f.Texts[key]; show != nil {
		t, err = show(ctx)
	}
	if key != 'v' {
		return t, err
	}
	if err != nil { // there is no plan yet
		t.Body = ""
	}
	facts := f.facts(f.columns, true)
	return Text{Title: facts[0], Body: strings.Join(facts[1:], "\n") + "\n\n" + t.Body}, nil
}

// open gives the terminal to something to look at.
func (f *form) open(key rune) tea.Cmd {
	return tea.Exec(opened(func() error { return f.opens(key) }), func(err error) tea.Msg { return shown{err} })
}

// opened is something to look at as tea runs it. It has the terminal by itself.
type opened func() error

func (o opened) Run() error        { return o() }
func (opened) SetStdin(io.Reader)  {}
func (opened) SetStdout(io.Writer) {}
func (opened) SetStderr(io.Writer) {}

// outcome says that something was done, or why it was not.
func outcome(err error, done string) string {
	if err != nil {
		return console.OneLine(err.Error())
	}
	return done
}
