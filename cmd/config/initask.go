package config

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"

	"autopilot/cmd/console"
	"autopilot/cmd/form"
	"autopilot/personas/command"
)

// ask has a person at the terminal fill in what init writes: who does the work, what has to pass, and how they are told.
func (o *initOptions) ask(ctx context.Context, w *wishes, installed []command.Preset) error {
	var who []huh.Option[string]
	for _, p := range installed {
		does := "installed; works with your rights, without asking"
		if p.Confined {
			does = "installed; keeps to this repository"
		}
		who = append(who, huh.NewOption(p.Name+" ("+does+")", p.Name))
	}
	who = append(who, huh.NewOption("a server that speaks OpenAI's API", server), huh.NewOption("decide later", ""))
	if w.backend == "" {
		w.backend = who[0].Value
	}
	commands := strings.Join(w.commands, "; ")
	if err := o.fill(ctx, huh.NewGroup(huh.NewSelect[string]().Title("Which agent does the work?").Options(who...).Value(&w.backend))); err != nil {
		return err
	}
	pages := []*huh.Group{
		huh.NewGroup(o.line("Commands that must pass, such as tests and linters; with ; between them", &commands)),
		huh.NewGroup(huh.NewSelect[string]().Title("How do you want to be told that a run needs you?").Options(
			huh.NewOption("by the terminal and on the desktop", "auto"), huh.NewOption("by the terminal's bell alone", "bell"), huh.NewOption("not at all", "off"),
		).Value(&w.notices)),
	}
	if w.backend == server {
		pages = append([]*huh.Group{huh.NewGroup(
			o.line("Address of the server (empty: OpenAI's own)", &w.baseURL), o.line("Model", &w.model),
			o.line("Environment variable that holds the key", &w.keyEnv),
		)}, pages...)
	}
	if err := o.fill(ctx, pages...); err != nil {
		return err
	}
	var chosen []string
	for c := range strings.SplitSeq(commands, ";") {
		if c = strings.TrimSpace(c); c != "" {
			chosen = append(chosen, c)
		}
	}
	w.chosen, w.commands = len(chosen) > 0 && !slices.Equal(chosen, w.commands), chosen
	return nil
}

// line is a question for a line of text. Where no form shows what stands there by now, the question does; an empty line keeps it.
func (o *initOptions) line(question string, value *string) *huh.Input {
	if o.plain() {
		question += " [" + cmp.Or(*value, "none") + "]:"
	}
	return huh.NewInput().Title(question).Value(value)
}

// plain says whether questions are asked line by line: the terminal can show no form, or a screen reader reads it.
func (o *initOptions) plain() bool {
	return !form.Fits(o.host) || o.host.Getenv("AUTOPILOT_ACCESSIBLE") == "1"
}

// fill has a person fill in a form.
func (o *initOptions) fill(ctx context.Context, groups ...*huh.Group) error {
	f := huh.NewForm(groups...).WithTheme(huh.ThemeFunc(huh.ThemeBase)).WithInput(o.host.In).WithOutput(console.Unguarded(o.host.Err)).
		WithAccessible(o.plain()).
		WithViewHook(func(v tea.View) tea.View {
			v.AltScreen = true // where a resize leaves no stale rows
			return v
		})
	err := f.RunWithContext(ctx)
	if errors.Is(err, huh.ErrUserAborted) {
		return console.UsageError("nothing was written\nWithout questions: autopilot init --yes")
	}
	return err
}
