package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"autopilot/personas"
	"autopilot/personas/agent/toolbox"
)

// TestNewestTurnKeepsItsArguments: a model sees what it has just called as it called it, however much it was.
func TestNewestTurnKeepsItsArguments(t *testing.T) {
	d := world(t)
	var many []string
	for i := range 12 {
		many = append(many, "write_file", fmt.Sprintf(`{"path":"f%d.txt","content":"%s"}`, i, strings.Repeat("0123456789", 500)))
	}
	s := &script{turns: []turn{calls(many...), calls(toolbox.SubmitReply, doneReply)}}
	if _, err := New(s, Options{Window: 32_768}).Dispatch(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	for i, call := range s.messages[2].Calls {
		if call.Arguments != many[2*i+1] {
			t.Errorf("call %d became %s", i+1, toolbox.Cut(nil, call.Arguments, 100))
		}
	}
}

// TestOldArgumentsHaveOneBudget: what is left out of an older turn is its largest texts; names and short texts stay.
func TestOldArgumentsHaveOneBudget(t *testing.T) {
	old := func(sizes ...int) personas.Message {
		var m personas.Message
		for i, n := range sizes {
			text, _ := json.Marshal(map[string]string{"path": fmt.Sprint(i, ".txt"), "content": strings.Repeat("line\n", n/5)})
			m.Calls = append(m.Calls, personas.Call{Name: "write_file", Arguments: string(text)})
		}
		return m
	}
	var kept []string
	keep := func(_, text string) string {
		kept = append(kept, text)
		return fmt.Sprint("(kept as ", len(kept), ")")
	}
	for name, c := range map[string]struct {
		m    personas.Message
		cut  []bool
		text string
	}{
		"all fit into it":         {old(3_000, 1_000, 1_000), []bool{false, false, false}, ""},
		"the largest is too much": {old(20_000, 1_400, 1_900), []bool{true, false, false}, strings.Repeat("line\n", 4_000)},
	} {
		t.Run(name, func(t *testing.T) {
			kept = nil
			got := shortenCalls(c.m.Calls, leastArguments, keep)
			for i, call := range got {
				var a struct{ Path, Content string }
				if err := json.Unmarshal([]byte(call.Arguments), &a); err != nil || a.Path != fmt.Sprint(i, ".txt") {
					t.Errorf("call %d is %s, %v", i, call.Arguments, err)
				}
				if cut := strings.HasPrefix(a.Content, "(kept as"); cut != c.cut[i] {
					t.Errorf("call %d: cut %v, want %v", i, cut, c.cut[i])
				}
			}
			if strings.Join(kept, "") != c.text {
				t.Errorf("%d texts were kept", len(kept))
			}
		})
	}
}

// TestCutOfAFileSaysWhichLines: the lines are read again from the file itself, and not from a copy.
func TestCutOfAFileSaysWhichLines(t *testing.T) {
	d := world(t)
	longFile(t, d)
	s := &script{turns: []turn{
		calls("read_file", `{"path":"long.txt","from":100,"to":500}`, "read_file", `{"path":"long.txt","from":501,"to":900}`),
		calls(toolbox.SubmitReply, doneReply),
	}}
	if _, err := New(s, Options{Window: 32_768}).Dispatch(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	shown := s.messages[3].Content
	wantIn(t, shown, "   100\tline 100 says", "   500\tline 500 says", "left out; read_file long.txt from ")
	if strings.Contains(shown, "archived") {
		t.Error("it points to a copy")
	}
	var first, last, from, to int
	for line := range strings.Lines(shown) {
		if n, _ := fmt.Sscanf(line, "… lines %d–%d left out; read_file long.txt from %d to %d …", &first, &last, &from, &to); n == 4 {
			break
		}
	}
	if first != from || last != to || first < 150 || last > 450 || last < first {
		t.Errorf("lines %d to %d, read from %d to %d", first, last, from, to)
	}
	for _, n := range []int{first, last} {
		if strings.Contains(shown, fmt.Sprintf("\tline %d says", n)) {
			t.Errorf("line %d is said to be left out", n)
		}
	}
	for _, n := range []int{first - 1, last + 1} {
		wantIn(t, shown, fmt.Sprintf("\tline %d says", n))
	}
}

// TestFullestPromptIsTold: a compaction before the end hides nothing.
func TestFullestPromptIsTold(t *testing.T) {
	s := &script{}
	for _, tokens := range []int{5_000, 61_000, 25_000} {
		s.turns = append(s.turns, func(context.Context) (personas.Message, personas.Usage, error) {
			m, _, err := calls("read_file", `{"path":"a.txt"}`)(t.Context())
			return m, personas.Usage{InputTokens: tokens}, err
		})
	}
	s.turns = append(s.turns, calls(toolbox.SubmitReply, doneReply))
	out, err := New(s, Options{Window: 100_000}).Dispatch(t.Context(), world(t))
	if err != nil || out.Metrics.Fill != 61_000 || out.Metrics.Window != 100_000 {
		t.Errorf("%+v, %v", out.Metrics, err)
	}
}
