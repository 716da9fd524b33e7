package form

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"autopilot/autopilot/halt"
	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/cmd/live"
	"autopilot/cmd/look"
	"autopilot/sessions/view"
)

// Options say where a question is asked, and what a person can look at meanwhile.
type Options struct {
	Host  *console.Host
	Look  live.Look
	Texts map[rune]func(ctx context.Context) (Text, error) // d, the diff; l, what the agents printed; v, the plan
	Note  func(text string) error                          // for the next agent run; nil: there can be none
	Stop  func()                                           // as Ctrl-C; nil: it only closes the form
	Past  []view.Line                                      // of the transcript, shown above where there is room
}

// Choices that are no answers: the run ends at the question, and the plan is made.
const (
	EditPlan  = "edit"
	DraftPlan = "draft"
)

// PlanError is what Ask returns where a person wants to make the plan now, by EditPlan or DraftPlan. It is a halt.ErrStop.
type PlanError struct{ How string }

func (w *PlanError) Error() string { return "the plan is made now: " + w.How }
func (w *PlanError) Unwrap() error { return halt.ErrStop }

// Fits says whether a question can be a form at the host's terminal.
func Fits(h *console.Host) bool {
	_, keyboard := h.In.(*os.File)
	return keyboard && live.Draws(h)
}

// Ask asks the open question of a session. It returns halt.ErrStop where the person leaves it open, and the context's error
// where somebody else answers meanwhile.
func Ask(ctx context.Context, o Options, v view.Session) (machine.Answer, error) {
	if err := o.Host.Forget(); err != nil {
		return machine.Answer{}, fmt.Errorf("%w: %w", halt.ErrNobody, err)
	}
	f := newForm(o, v)
	f.opens = func(key rune) error {
		t, err := f.reads(ctx, key)
		if err != nil {
			return err
		}
		return t.Show(ctx, o.Host, o.Look)
	}
	if err := program(ctx, o.Host, o.Look, f); err != nil {
		return machine.Answer{}, err
	}
	return f.answer, f.err
}

// form is an open question as a person fills it in.
type form struct {
	Options
	v               view.Session
	choices         []view.Choice
	at              int // the choice under the cursor
	columns, height int
	awake           bool                 // its first half second is over
	more            *console.FollowUp    // that is being asked; nil: none
	noting          bool                 // the text is a note
	text            textarea.Model       // what is written
	opens           func(key rune) error // shows what a key shows
	flash           string               // what came of the last key
	answer          machine.Answer
	err             error
}

type (
	wakes struct{}            // the first half second is over
	shown struct{ err error } // what was opened is closed again
)

// settles is how long a new form takes no keys.
const settles = 500 * time.Millisecond

func newForm(o Options, v view.Session) *form {
	f := &form{Options: o, v: v, choices: choicesOf(*v.Gate), columns: o.Host.Columns(), height: o.Host.Rows(), text: textarea.New()}
	f.at = max(0, slices.IndexFunc(f.choices, func(c view.Choice) bool { return c.Default }))
	f.text.ShowLineNumbers, f.text.Prompt, f.text.CharLimit = false, "  ", 0
	f.text.SetStyles(textarea.Styles{})
	f.text.SetVirtualCursor(false)
	f.text.KeyMap.InsertNewline.SetKeys("alt+enter", "ctrl+j")
	return f
}

// choicesOf are the options, with the ways to make a plan first where one is wanted.
func choicesOf(g view.Gate) []view.Choice {
	if g.Kind != machine.GatePlanWanted {
		return g.Choices
	}
	choices := []view.Choice{
		{Name: EditPlan, Word: EditPlan, Label: "write it in your editor, from a template", Default: true},
		{Name: DraftPlan, Word: DraftPlan, Label: "have the planner write a draft, which you edit"},
	}
	for _, c := range g.Choices {
		c.Default = false
		choices = append(choices, c)
	}
	return choices
}

// Init has it take keys from now on.
func (f *form) Init() tea.Cmd {
	return tea.Tick(settles, func(time.Time) tea.Msg { return wakes{} })
}

// Update does what a message says.
func (f *form) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case wakes:
		f.awake = true
	case shown:
		f.flash = outcome(m.err, "")
	case tea.WindowSizeMsg:
		f.columns, f.height = m.Width, m.Height
	case tea.KeyPressMsg:
		if m.String() == "ctrl+c" {
			return f.interrupt()
		}
		if !f.awake {
			return f, nil
		}
		f.flash = ""
		if f.writing() {
			return f.write(m)
		}
		return f.press(m.String())
	default:
		if f.writing() {
			return f.write(msg)
		}
	}
	return f, nil
}

func (f *form) writing() bool { return f.more != nil || f.noting }

func (f *form) close(err error) (tea.Model, tea.Cmd) {
	f.err = err
	return f, tea.Quit
}

// interrupt is Ctrl-C.
func (f *form) interrupt() (tea.Model, tea.Cmd) {
	if f.Stop == nil {
		return f.close(halt.ErrStop)
	}
	f.Stop()
	return f.close(nil) // with the context's error
}

// View is the form as it stands. It has the terminal's other screen, where a resize leaves no stale rows; what was printed
// before stands above it as on the first.
func (f *form) View() tea.View {
	lines := f.rows()
	shown := tea.NewView(strings.Join(lines, "\n"))
	shown.AltScreen = true
	if c := f.text.Cursor(); c != nil && f.writing() {
		c.Y += len(lines) - 1 - f.text.Height()
		shown.Cursor = c
	}
	return shown
}

// facts are the lines of what the question is about.
func (f *form) facts(columns int, whole bool) []string {
	return strings.Split(strings.TrimRight(look.Asked(f.Host, f.v, columns, whole), "\n"), "\n")
}
