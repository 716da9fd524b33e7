//go:build unix

package acp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	acp "github.com/coder/acp-go-sdk"

	"autopilot/personas"
)

var (
	planner  = personas.Persona{Name: personas.Planner, May: []string{personas.MayRead, personas.MayPlan}}
	verifier = personas.Persona{Name: personas.Verifier, May: []string{personas.MayRead, personas.MayRun}}
	reviewer = personas.Persona{Name: personas.Reviewer, May: []string{personas.MayRead}}
)

func TestPermissionIsWhatThePersonaMayDo(t *testing.T) {
	d, _ := world(t)
	outside := t.TempDir()
	for link, target := range map[string]string{"out": outside, "dangling": filepath.Join(outside, "none")} {
		if err := os.Symlink(target, filepath.Join(d.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(paths ...string) toolCall {
		c := toolCall{Kind: acp.ToolKindEdit}
		for _, p := range paths {
			c.Locations = append(c.Locations, location{p})
		}
		return c
	}
	kind := func(k acp.ToolKind) toolCall { return toolCall{Kind: k} }
	runs := func(input string) toolCall { return toolCall{Kind: acp.ToolKindExecute, Input: []byte(input)} }
	odd := runs(`{"command":"rm -rf /"}`)
	odd.Kind = acp.ToolKindOther
	diff := toolCall{Kind: acp.ToolKindEdit, Content: []content{{Type: "diff", Path: "../beside.go"}}}
	remove := edit("a.go")
	remove.Kind = acp.ToolKindDelete
	unknown := edit("/etc/passwd")
	unknown.Kind = ""
	for name, c := range map[string]struct {
		call toolCall
		yes  string // the first letters of the personas that may
	}{
		"reading":                            {kind(acp.ToolKindRead), "epvr"},
		"searching":                          {kind(acp.ToolKindSearch), "epvr"},
		"a file of the tree":                 {edit("a/b.go"), "e"},
		"the same, absolute":                 {edit(filepath.Join(d.Dir, "a.go")), "e"},
		"no file that is named":              {edit(), "e"},
		"a plan":                             {edit("docs/plans/x.md"), "ep"},
		"a plan that is no Markdown":         {edit("docs/plans/x.go"), "e"},
		"a plan and another file":            {edit("docs/plans/x.md", "a.go"), "e"},
		"the reply":                          {edit(d.ReplyPath), "epvr"},
		"a file outside":                     {edit("/etc/passwd"), ""},
		"a file outside, as a change":        {diff, ""},
		"a file behind a link":               {edit("out/x.go"), ""},
		"a file behind a link to nothing":    {edit("dangling"), ""},
		"out of the plans":                   {edit("docs/plans/../../out/x.md"), ""},
		"git's own":                          {edit(".git/config"), ""},
		"autopilot's own":                    {edit(".harness/learnings.md"), ""},
		"a file to delete":                   {remove, "e"},
		"a command":                          {kind(acp.ToolKindExecute), "ev"},
		"a command that is told":             {runs(`{"command":"go test ./... && rm -rf build"}`), "ev"},
		"a command in words":                 {runs(`{"command":["bash","-lc","echo 'rm -rf /'"]}`), "ev"},
		"a command that destroys":            {runs(`{"command":"rm -rf ~"}`), ""},
		"the same in words":                  {runs(`{"command":["bash","-lc","cd / && rm -rf home"]}`), ""},
		"the same under another name":        {runs(`{"cmd":"rm -rf /etc"}`), ""},
		"the same, of no kind":               {odd, ""},
		"git that writes":                    {runs(`{"command":"git push --force"}`), ""},
		"input that is no command":           {runs(`{"command":{"a":1}}`), "ev"},
		"a page of the network":              {kind(acp.ToolKindFetch), "ev"},
		"another mode":                       {kind(acp.ToolKindSwitchMode), ""},
		"what is of no kind":                 {kind(acp.ToolKindOther), "e"},
		"what is of no kind, with a file":    {unknown, ""},
		"a file that leaves by its own name": {edit("a/../../x"), ""},
	} {
		yes := ""
		for _, p := range []personas.Persona{executor, planner, verifier, reviewer} {
			if d.Persona = p; forbids(d, c.call) == "" {
				yes += string(p.Name)[:1]
			}
		}
		if yes != c.yes {
			t.Errorf("%s: allowed to %q, want %q", name, yes, c.yes)
		}
	}
}

func TestAnswerGoesNoFurtherThanItHasTo(t *testing.T) {
	t.Parallel()
	const (
		all   = `[{"kind":"allow_always","optionId":"ever"},{"kind":"allow_once","optionId":"once"},{"kind":"reject_always","optionId":"never"},{"kind":"reject_once","optionId":"no"}]`
		ever  = `[{"kind":"allow_always","optionId":"ever"},{"kind":"reject_always","optionId":"never"}]`
		none  = `[]`
		write = `{"toolCallId":"1","kind":"edit","title":"Write a.go","locations":[{"path":"a.go"}]}`
		look  = `{"toolCallId":"1","kind":"read","title":"Look"}`
	)
	for _, c := range []struct {
		persona       personas.Persona
		call, options string
		want, told    string
	}{
		{executor, write, all, "selected once", ""},
		{executor, write, ever, "selected ever", ""},
		{executor, write, none, "cancelled", "notice not allowed, because that cannot be done once: Write a.go"},
		{reviewer, write, all, "selected no", "notice denied: Write a.go (the reviewer may not write there)"},
		{reviewer, write, ever, "selected never", "notice denied"},
		{reviewer, write, none, "cancelled", "notice denied"},
		{reviewer, look, all, "selected once", ""},
		{reviewer, look, ever, "cancelled", "notice not allowed"},
	} {
		d, told := world(t)
		d.Persona = c.persona
		wantKind(t, play(t, options("asks "+c.call+" | "+c.options), d), personas.GotReply)
		if asked := read(t, d.Dir, "asked"); !strings.Contains(asked, "answered "+c.want) || !strings.HasPrefix(told.String(), c.told) {
			t.Errorf("%s, %s, %s: %s%s", c.persona.Name, c.call, c.options, asked, told)
		}
	}
}

func TestProgramThatGivesUpAtADenialIsToldToGoOn(t *testing.T) {
	for role, want := range map[string]int{"gives up": 2, "gives up in words": 2, "takes a denial": 1} {
		d, _ := world(t)
		d.Persona = reviewer
		wantKind(t, play(t, options(role), d), personas.GotReply)
		if n := strings.Count(read(t, d.Dir, "asked"), "session/prompt"); n != want {
			t.Errorf("%s: it was asked %d times, want %d", role, n, want)
		}
	}
	d, _ := world(t)
	d.Persona = personas.Persona{Name: "nobody"}
	wantKind(t, play(t, options("gives up always"), d), personas.NoReply)
	if n := strings.Count(read(t, d.Dir, "asked"), "session/prompt"); n != 1+maxDenials {
		t.Errorf("it was asked %d times", n)
	}
}

func TestQuestionWithoutSenseIsRefused(t *testing.T) {
	s := &speaker{}
	if _, err := s.handle(t.Context(), acp.ClientMethodFsWriteTextFile, nil); err == nil || err.Code != -32601 {
		t.Errorf("a file that was to be written: %v", err)
	}
	if _, err := s.handle(t.Context(), acp.ClientMethodSessionRequestPermission, []byte("{")); err == nil || err.Code != -32602 {
		t.Errorf("a question that is cut off: %v", err)
	}
}
