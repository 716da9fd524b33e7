package acp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/autopilot/shell"
	"autopilot/personas"
	"autopilot/personas/command"
)

// handle answers what a program asks. Files and terminals are not offered: it
// has its own.
func (s *speaker) handle(_ context.Context, method string, params json.RawMessage) (any, *acp.RequestError) {
	if method != acp.ClientMethodSessionRequestPermission {
		return nil, acp.NewMethodNotFound(method)
	}
	var ask struct {
		Options  []acp.PermissionOption `json:"options"`
		ToolCall toolCall               `json:"toolCall"`
	}
	if !command.Decode(params, &ask) {
		return nil, acp.NewInvalidParams("the question cannot be read")
	}
	cancelled := acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}
	if s.cut.Load() {
		return cancelled, nil
	}
	t, call := s.turn.Load(), s.asked(ask.ToolCall)
	why := forbids(t.Dispatch, call)
	option, ok := choose(ask.Options, why == "", t.Dispatch.Persona.Allows(personas.MayWrite))
	switch {
	case why != "":
		s.denied.Store(true)
		t.Said.Notice("denied: " + call.String() + " (" + why + ")")
	case !ok:
		t.Said.Notice("not allowed, because that cannot be done once: " + call.String())
	}
	if !ok {
		return cancelled, nil
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(option)}, nil
}

// choose picks the answer that goes the least far. A persona that may not write
// allows nothing for ever: the next such call may be another one.
func choose(options []acp.PermissionOption, allow, always bool) (acp.PermissionOptionId, bool) {
	kinds := []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways}
	if allow {
		kinds = []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce}
		if always {
			kinds = append(kinds, acp.PermissionOptionKindAllowAlways)
		}
	}
	for _, kind := range kinds {
		for _, o := range options {
			if o.Kind == kind {
				return o.OptionId, true
			}
		}
	}
	return "", false
}

// forbids says why a call is not allowed to a persona; "": it is.
func forbids(d personas.Dispatch, c toolCall) string {
	if why := forbidsKind(d, c); why != "" {
		return why
	}
	return forbidsCommand(d, c.script())
}

// forbidsCommand says why a command line is not to be run: what the built-in
// agent refuses is refused to every agent that asks.
func forbidsCommand(d personas.Dispatch, line string) string {
	if verb := shell.WritingGit(line); verb != "" {
		return "git " + verb + ": autopilot does all in git that writes"
	}
	ground := shell.NewPathScope(d.Dir, os.Environ())
	ground.Free(d.OutDir, d.ScratchpadDir)
	return ground.Denial(line)
}

func forbidsKind(d personas.Dispatch, c toolCall) string {
	switch c.Kind {
	case acp.ToolKindRead, acp.ToolKindSearch, acp.ToolKindThink:
		return ""
	case acp.ToolKindEdit, acp.ToolKindMove:
		return forbidsWriting(d, c.paths())
	case acp.ToolKindDelete:
		if !d.Persona.Allows(personas.MayRun) {
			return "the " + string(d.Persona.Name) + " may not delete"
		}
		return forbidsWriting(d, c.paths())
	case acp.ToolKindExecute, acp.ToolKindFetch:
		if !d.Persona.Allows(personas.MayRun) {
			return "the " + string(d.Persona.Name) + " may run nothing"
		}
		return ""
	case acp.ToolKindSwitchMode:
		return "the mode stays as autopilot set it"
	}
	if !d.Persona.Allows(personas.MayWrite) || !d.Persona.Allows(personas.MayRun) {
		return "what it does is not known"
	}
	return forbidsWriting(d, c.paths())
}

// forbidsWriting says why files may not be written; "": they may.
func forbidsWriting(d personas.Dispatch, paths []string) string {
	anywhere := d.Persona.Allows(personas.MayWrite)
	if len(paths) == 0 && !anywhere {
		return "it does not say which file it writes"
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(d.Dir, path)
		}
		path = real(path)
		plan := d.Persona.Allows(personas.MayPlan) && strings.EqualFold(filepath.Ext(path), ".md") &&
			slices.ContainsFunc(d.PlanDirs, func(dir string) bool { return within(dir, path) })
		switch {
		case within(d.OutDir, path), plan:
		case !anywhere:
			return "the " + string(d.Persona.Name) + " may not write there"
		case !within(d.Dir, path):
			return "it lies outside of the working tree"
		case within(filepath.Join(d.Dir, ".git"), path), within(filepath.Join(d.Dir, ".harness"), path):
			return "it belongs to git or to autopilot"
		}
	}
	return ""
}

// within says whether a path, whose links are followed, lies in a folder.
func within(dir, path string) bool {
	rel, err := filepath.Rel(real(dir), path)
	return err == nil && filepath.IsLocal(rel)
}

// real follows the links of a path as far as it is there. A link that leads
// nowhere yet gives "": who writes there may make a file anywhere.
func real(path string) string {
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		return followed
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return ""
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(real(parent), filepath.Base(path))
}
