//go:build unix

package acp

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"autopilot/autopilot/process"
	"autopilot/personas"
	"autopilot/personas/command"
)

// turnOf is a turn of a fake agent that nobody hears.
func turnOf(d personas.Dispatch, role string) command.Turn {
	return command.Turn{
		Dispatch: d, Prompt: d.Prompt, Said: &command.Said{},
		Command: process.Command{
			Argv: []string{os.Args[0]}, Dir: d.Dir, Grace: 100 * time.Millisecond,
			Env: append(os.Environ(), fakeRole+"="+role, "AUTOPILOT_REPLY="+d.ReplyPath),
		},
		Record: func(to io.Writer) io.WriteCloser { return record{to} },
	}
}

type record struct{ io.Writer }

func (record) Close() error { return nil }

func TestReplyIsMendedInTheConversationOfBefore(t *testing.T) {
	const again = "session/set_mode s1 workspace-write\nsession/prompt s1\n"
	const first = "initialize\nsession/new\n" + again
	for role, then := range map[string]string{
		"mends":   first + "session/prompt s1\n",
		"goes":    "initialize\nsession/load s1\nsession/prompt s1\n",
		"lost":    "initialize\nsession/load s1\nsession/new\n" + again,
		"forgets": "initialize\nsession/new\n" + again,
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			d, told := world(t)
			out := play(t, options(role), d)
			wantKind(t, out, personas.GotReply)
			if asked := read(t, d.Dir, "asked"); !strings.HasPrefix(asked, first) || !strings.HasSuffix(asked, then) || out.Turns != 2 {
				t.Errorf("after %d turns it was asked:\n%swant at its end:\n%s", out.Turns, asked, then)
			}
			if strings.Contains(told.String(), "said before") || out.Usage.CostUSD != 0.5 {
				t.Errorf("the conversation of before was heard anew, or its cost %g counted twice: %s", out.Usage.CostUSD, told)
			}
		})
	}
}

func TestModelIsSetWhereTheProgramOffersIt(t *testing.T) {
	for model, want := range map[string]string{"large": "session/set_config_option s1 large", "small": "", "other": "notice the program does not offer the model other"} {
		d, told := world(t)
		o := options("says nothing")
		o.Model = model
		play(t, o, d)
		got := read(t, d.Dir, "asked") + told.String()
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "small") {
			t.Errorf("model %s: %s", model, got)
		}
	}
}

func TestConfiguredKeyLogsIn(t *testing.T) {
	d, _ := world(t)
	o := options("locked")
	o.KeyEnv = "MY_KEY"
	wantKind(t, play(t, o, d), personas.GotReply)
	if asked := read(t, d.Dir, "asked"); !strings.Contains(asked, "authenticate key\nlogged in\nsession/new\n") {
		t.Errorf("asked:\n%s", asked)
	}
}

func TestReaderGetsTheModeThatReads(t *testing.T) {
	d, _ := world(t)
	d.Persona = personas.Persona{Name: personas.Reviewer, May: []string{personas.MayRead}}
	play(t, options("says nothing"), d)
	if asked := read(t, d.Dir, "asked"); !strings.Contains(asked, "session/set_mode s1 read-only\n") {
		t.Errorf("asked:\n%s", asked)
	}
}

func TestProgramIsToldOfTheServersThatThePersonaMayUse(t *testing.T) {
	servers := []personas.MCPServer{
		{Name: "docs", Command: []string{"docs-server", "--all"}, Env: []string{"DOCS_KEY"}, Tier: personas.TierRead},
		{Name: "some", Command: []string{"some-server"}, Tier: personas.TierRead, Tools: []string{"look"}},
		{Name: "shell", Command: []string{"shell-server"}, Tier: personas.TierDestructive},
	}
	for _, c := range []struct {
		persona    personas.Persona
		want, none string
	}{
		{reviewer, `servers [{"args":["--all"],"command":"docs-server","env":[{"name":"DOCS_KEY","value":"secret-value"}],"name":"docs"}]`, "shell-server"},
		{executor, `"command":"shell-server"`, "some-server"},
	} {
		d, told := world(t)
		d.Persona = c.persona
		o := options("says nothing")
		o.Environ = []string{"PATH=" + os.Getenv("PATH"), "DOCS_KEY=secret-value", "OTHER_KEY=other-value"}
		o.MCP = servers
		play(t, o, d)
		asked := read(t, d.Dir, "asked")
		if asked = strings.ReplaceAll(asked, " ", ""); !strings.Contains(asked, strings.ReplaceAll(c.want, " ", "")) || strings.Contains(asked, c.none) || strings.Contains(asked, "other-value") {
			t.Errorf("%s: %s", c.persona.Name, asked)
		}
		if !strings.Contains(told.String(), "notice the MCP server some is left out") {
			t.Errorf("told %s", told)
		}
	}
}
