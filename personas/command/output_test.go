//go:build unix

package command

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
)

func TestOutputGoesToTheLogAsItIs(t *testing.T) {
	d := world(t)
	wantKind(t, play(t, sh(`printf 'a\033[1mb\r\n'; printf 'err\0\n' >&2; echo '`+done+`' > $AUTOPILOT_REPLY`), d), personas.GotReply)
	log := read(t, d.AttemptDir, "output.log")
	if !strings.HasPrefix(log, "a\x1b[1mb\r\nerr\x00\n== it ended with exit code 0 after ") {
		t.Errorf("the log is %q", log)
	}
}

func TestOutputOfTwentyMegabytesIsKeptWholeAndItsEndIsRead(t *testing.T) {
	t.Parallel()
	d := world(t)
	script := "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo '```json'; echo '" + done + "'; echo '```'"
	wantKind(t, play(t, sh(script), d), personas.GotReply)
	info, err := os.Stat(filepath.Join(d.AttemptDir, "output.log"))
	if err != nil || info.Size() < 20_000_000 {
		t.Errorf("the log has %v bytes, %v", info.Size(), err)
	}
}

func TestSecretsReachNoRecord(t *testing.T) {
	d := world(t)
	var told strings.Builder
	d.OnEvent = func(_, text string) { told.WriteString(text + "\n") }
	b := New(Options{
		Argv: []string{"sh", "-c", `echo "key $MY_API_KEY."; printf sec; sleep 0.05; echo "ret-of-the-backend"; exit 1`},
		Env:  map[string]string{"SOME_TOKEN": "secret-of-the-backend"}, Environ: []string{"PATH=" + os.Getenv("PATH"), "MY_API_KEY=abcdefgh-1234"},
	})
	out := play(t, b, d)
	wantKind(t, out, personas.Crashed, "key [secret].\n[secret]")
	for _, text := range []string{out.Detail, told.String(), read(t, d.AttemptDir, "output.log")} {
		if strings.Contains(text, "abcdefgh") || strings.Contains(text, "of-the-backend") {
			t.Errorf("a secret is in %q", text)
		}
	}
}

func TestMaskLeavesTheRestByteForByte(t *testing.T) {
	for pieces, want := range map[string]string{
		"nothing here":             "nothing here",
		"a password|1 b":           "a [secret] b",
		"p|a|s|s|w|o|r|d|1":        "[secret]",
		"pass|ed by":               "passed by",
		"ends with pass":           "ends with pass",
		"password1password12|":     "[secret][secret]2",
		"longer password1-and-on|": "longer [secret]",
		"longer password1-and-|of": "longer [secret]-and-of",
	} {
		var out strings.Builder
		m := personas.NewMask(nil, "password1-and-on", "password1").Writer(&out)
		for piece := range strings.SplitSeq(pieces, "|") {
			if n, err := m.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := m.Close(); err != nil || out.String() != want {
			t.Errorf("%q became %q, want %q (%v)", pieces, out.String(), want, err)
		}
	}
}

func TestRecordThatCannotBeWrittenIsAnError(t *testing.T) {
	r, w := io.Pipe()
	r.CloseWithError(errors.New("the disk is full"))
	m := personas.NewMask(nil, "password").Writer(w)
	if _, err := m.Write([]byte("no secret\npass")); err == nil {
		t.Error("the failed write was not told")
	}
	if err := m.Close(); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("the failed rest was not told: %v", err)
	}
}

func TestPeopleAreToldLineByLineAndNotForEver(t *testing.T) {
	var told, steps []string
	w := &teller{d: personas.Dispatch{OnEvent: func(kind, text string) { told = append(told, kind+" "+text) }, OnStep: func(line string) { steps = append(steps, line) }}}
	for _, piece := range []string{"one\n\ntw", "o\r\n", strings.Repeat("x", 3*maxLine), "\nrest"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	want := []string{"text one", "text two", "text " + strings.Repeat("x", maxLine)}
	if strings.Join(told, "|") != strings.Join(want, "|") {
		t.Errorf("told %q", told)
	}
	if _, err := w.Write([]byte(strings.Repeat("more\n", 2*maxTold))); err != nil {
		t.Fatal(err)
	}
	if len(told) != maxTold+1 || !strings.HasPrefix(told[maxTold], "notice only the first") {
		t.Errorf("%d lines were told, the last %q", len(told), told[len(told)-1])
	}
	if _, err := w.Write([]byte("CHECKPOINT step=1/2 late\n\x20CHECKPOINT step=2/2 without an end")); err != nil {
		t.Fatal(err)
	}
	if w.finish(); len(told) != maxTold+1 || strings.Join(steps, "|") != "CHECKPOINT step=1/2 late|CHECKPOINT step=2/2 without an end" {
		t.Errorf("heard %q, told %q at the end", steps, told[len(told)-1])
	}
}

func TestReplyIsFoundInNoisyOutput(t *testing.T) {
	example := "```json\n{\n  \"v\": 1,\n  \"status\": \"done\",\n  \"summary\": \"What is different now.\"\n}\n```\n"
	mine := "```json\n" + done + "\n```\n"
	prompt := "Work.\n\n" + example + "\nHand it in.\n\nThe last message was:\nIt is done.\n\n" + mine + "\nMend it.\n"
	indented := "> " + strings.ReplaceAll(strings.TrimSpace(prompt), "\n", "\n    ") + "\n"
	for name, c := range map[string]struct {
		out   string
		cut   bool
		found bool
	}{
		"a lone fence before":       {"see ```\n```\nlog\n" + mine, false, true},
		"the prompt before":         {prompt + mine, false, true},
		"the prompt behind":         {mine + prompt, false, true},
		"another block behind":      {mine + "```sh\ngo test\n```\nbye\n", false, true},
		"a fence of tildes":         {"~~~\n" + done + "\n~~~\n", false, true},
		"no closing fence":          {"```json\n" + done, false, true},
		"backquotes in its text":    {"```json\n{\"v\":1,\"status\":\"done\",\"summary\":\"Did it.\", \"concerns\":[\"a ``` b\"]}\n```\n", false, true},
		"only the prompt":           {prompt, false, false},
		"only the prompt, indented": {indented, false, false},
		"the whole, but cut":        {done, true, false},
		"words":                     {"I did it, status done.", false, false},
		"JSON that is no reply":     {"```json\n{\"a\": 1}\n```\n", false, false},
		"a bare reply behind words": {prompt + done, false, false},
		"behind words on its line":  {"Info: /x/a.txt" + mine, false, true},
		"its end behind the JSON":   {"```json\n" + done + "```\n", false, true},
		"as the prompt quotes it":   {mine, false, true},
		"as quoted, behind words":   {"It is done.\n\n" + mine, false, true},
		"as quoted, after an echo":  {prompt + "It is done.\n\n" + mine, false, true},
		"the end of an echo":        {prompt[6:], true, false},
	} {
		t.Run(name, func(t *testing.T) {
			reply, _, err := fromOutput(c.out, c.cut, prompt)
			switch {
			case c.found && (err != nil || reply.Summary != "Did it."):
				t.Errorf("got %+v, %v", reply, err)
			case !c.found && !errors.Is(err, personas.ErrNoReply):
				t.Errorf("got %+v, %v, want none", reply, err)
			}
		})
	}
}

func TestOfALongTextTheLastLinesAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		" \n a\xff\n":              "a\uFFFD",
		"ab\ncdef":                 "ab\ncdef",
		"abcd\nabcd\n":             "…\nabcd",
		"one line":                 "…\nne line",
		"\u043a\u043b\u044e\u0447": "…\n\u043b\u044e\u0447",
	} {
		if got := lastOf(text, 7); got != want {
			t.Errorf("of %q: %q, want %q", text, got, want)
		}
	}
}
