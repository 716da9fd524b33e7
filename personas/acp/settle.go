package acp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
	"autopilot/personas/command"
)

// modes are those, by the names that the known programs give them, in which a
// program asks before it does what a persona may not: one that writes, and one
// that does not. A program that has none of them stays in its own.
var modes = map[bool][]string{
	true:  {"workspace-write", "default"},
	false: {"read-only", "default"},
}

// settle sets what a session starts with: the mode, and the model that is wanted.
func (s *speaker) settle(ctx context.Context, t command.Turn, o opened) error {
	p := t.Dispatch.Persona
	writes := p.Allows(personas.MayWrite) || p.Allows(personas.MayPlan)
	known := o.modes()
	at := slices.IndexFunc(modes[writes], func(mode string) bool { return slices.Contains(known, mode) })
	if at >= 0 && modes[writes][at] != o.Modes.Current {
		_, err := request[struct{}](ctx, s.peer, acp.AgentMethodSessionSetMode, acp.SetSessionModeRequest{
			SessionId: acp.SessionId(s.session), ModeId: acp.SessionModeId(modes[writes][at]),
		})
		if err != nil {
			return err
		}
	}
	if t.Model == "" {
		return nil
	}
	return s.model(ctx, t, o)
}

func (o opened) modes() []string {
	var ids []string
	for _, m := range o.Modes.Available {
		ids = append(ids, m.ID)
	}
	return ids
}

// model sets the model, where the program offers it. One that does not may have
// got it in its arguments.
func (s *speaker) model(ctx context.Context, t command.Turn, o opened) error {
	if o.Models.Current == t.Model {
		return nil
	}
	for _, m := range o.Models.Available {
		if m.ID == t.Model {
			_, err := request[struct{}](ctx, s.peer, acp.AgentMethodSessionSetModel, map[string]string{"sessionId": s.session, "modelId": t.Model})
			return err
		}
	}
	for _, setting := range o.Options {
		if setting.Category != "model" || setting.is(t.Model) || !setting.offers(t.Model) {
			continue
		}
		_, err := request[struct{}](ctx, s.peer, acp.AgentMethodSessionSetConfigOption, map[string]string{"sessionId": s.session, "configId": setting.ID, "value": t.Model})
		return err
	}
	if !o.works(t) {
		t.Said.Notice("the program does not offer the model " + t.Model + ", and works with its own")
	}
	return nil
}

// works says whether the program has the model that is wanted, or got its name
// when it was started.
func (o opened) works(t command.Turn) bool {
	return slices.ContainsFunc(o.Options, func(setting option) bool { return setting.Category == "model" && setting.is(t.Model) }) ||
		slices.ContainsFunc(slices.Concat(t.Command.Argv, t.Command.Env), func(given string) bool { return strings.Contains(given, t.Model) })
}

func (o option) is(value string) bool {
	var current string
	return json.Unmarshal(o.Current, &current) == nil && current == value
}

// offers says whether a setting can take a value. Values may stand in groups.
func (o option) offers(value string) bool {
	type choice struct {
		Value   string          `json:"value"`
		Options json.RawMessage `json:"options"`
	}
	var choices []choice
	if json.Unmarshal(o.Options, &choices) != nil {
		return false
	}
	return slices.ContainsFunc(choices, func(c choice) bool {
		return c.Value == value || c.Options != nil && option{Options: c.Options}.offers(value)
	})
}
