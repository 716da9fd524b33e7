package form

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"autopilot/cmd/console"
	"autopilot/cmd/live"
)

// Text is something to look at: full screen, until the person leaves it.
type Text struct {
	Title string
	Body  string
	Last  bool // its end is shown first
}

// Show shows a text on the terminal's other screen.
func (t Text) Show(ctx context.Context, h *console.Host, look live.Look) error {
	return program(ctx, h, look, newViewer(t, h, look))
}

// program runs a model at the host's terminal until it ends, or the context does.
func program(ctx context.Context, h *console.Host, look live.Look, model tea.Model) error {
	profile := colorprofile.NoTTY
	if look.Color {
		profile = colorprofile.ANSI
	}
	p := tea.NewProgram(model, tea.WithInput(h.In), tea.WithOutput(console.Unguarded(h.Err)), tea.WithEnvironment(h.Environ),
		tea.WithColorProfile(profile), tea.WithoutSignalHandler())
	closed := context.AfterFunc(ctx, p.Quit)
	defer closed()
	if _, err := p.Run(); err != nil {
		return fmt.Errorf("showing it at the terminal: %w", err)
	}
	return ctx.Err()
}

// viewer is a text that is being looked at.
type viewer struct {
	Text
	Look live.Look
	port viewport.Model
}

func newViewer(t Text, h *console.Host, look live.Look) *viewer {
	v := &viewer{Text: t, Look: look, port: viewport.New(viewport.WithWidth(h.Columns()), viewport.WithHeight(max(1, h.Rows()-2)))}
	v.port.SoftWrap, v.port.FillHeight = true, true
	v.port.SetContent(v.body())
	if t.Last {
		v.port.GotoBottom()
	}
	return v
}

// Init does nothing.
func (v *viewer) Init() tea.Cmd { return nil }

// Update does what a message says.
func (v *viewer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		v.port.SetWidth(m.Width)
		v.port.SetHeight(max(1, m.Height-2))
	case tea.KeyPressMsg:
		switch m.String() {
		case "q", "esc", "ctrl+c":
			return v, tea.Quit
		case "g", "home":
			v.port.GotoTop()
		case "G", "end":
			v.port.GotoBottom()
		}
	}
	var cmd tea.Cmd
	v.port, cmd = v.port.Update(msg)
	return v, cmd
}

// View is the part of the text that the terminal has room for.
func (v *viewer) View() tea.View {
	columns := v.port.Width()
	title, at := console.Wrapped(v.Look.Told(v.Title), columns, 0), fmt.Sprintf("%.0f%%", 100*v.port.ScrollPercent())
	keys, back := v.Look.Text("↑↓ line · space b page · g G ends"), "q back"
	shown := tea.NewView(v.Look.Bold(title) + gap(columns, title, at) + v.Look.Faint(at) + "\n" + v.port.View() + "\n" +
		v.Look.Faint(keys+gap(columns, keys, back)+back))
	shown.AltScreen = true
	return shown
}

// body is the text with no secrets in it, and colours where it is a diff.
func (v *viewer) body() string {
	text := strings.TrimRight(console.Clean(v.Body), "\n")
	if v.Look.Mask != nil {
		text = v.Look.Mask(text)
	}
	text = strings.ReplaceAll(v.Look.Text(text), "\t", "    ")
	if strings.HasPrefix(text, "diff ") {
		return v.Look.Diff(text)
	}
	return text
}
