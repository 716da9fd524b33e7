package cmd

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"autopilot/autopilot/machine"
	"autopilot/cmd/console"
	"autopilot/config"
	"autopilot/personas/limits"
	"autopilot/personas/openai"
)

var updateDocs = flag.Bool("update", false, "write what the README and docs take from the code")

// TestREADMEAndDocsSayWhatTheCodeDoes compares what stands between the markers of a document with the code:
//
//	<!-- from the code: NAME -->
//	…
//	<!-- end -->
//
// `go test ./cmd -run README -update` writes it again.
func TestREADMEAndDocsSayWhatTheCodeDoes(t *testing.T) {
	diagram, err := machine.Diagram()
	if err != nil {
		t.Fatal(err)
	}
	for file, parts := range map[string]map[string]string{
		"docs/states.md": {
			"diagram": "```mermaid\n" + strings.TrimSpace(diagram) + "\n```\n",
			"states":  stateTable(),
		},
		"docs/commands.md":      {"commands": commandTable(newRoot(&console.Host{}))},
		"docs/gates.md":         {"gates": gateTable()},
		"docs/configuration.md": {"configuration": keyTable()},
		"docs/backends.md":      {"statuses": statusTable()},
		"docs/servers.md":       {"servers": serverTable()},
		"docs/simulating.md":    {"behaviours": behaviourTable()},
	} {
		t.Run(file, func(t *testing.T) { sameParts(t, filepath.Join("..", filepath.FromSlash(file)), parts) })
	}
}

// sameParts compares the parts of a document with what they have to be, or writes them.
func sameParts(t *testing.T, file string, parts map[string]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	for name, want := range parts {
		before, got, after, found := between(text, name)
		if !found {
			t.Errorf("there is no part %q", name)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" && !*updateDocs {
			t.Errorf("%s is out of date; go test ./cmd -run README -update writes it again (-want +got):\n%s", name, diff)
		}
		text = before + want + after
	}
	if *updateDocs {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// SameParts and Table are for the tests that drive the program from outside.
var (
	SameParts = sameParts
	Table     = table
)

func TestPartBetweenMarkersIsFound(t *testing.T) {
	text := "a\n<!-- from the code: x -->\nold\n<!-- end -->\nb\n<!-- from the code: y -->\n"
	before, part, after, found := between(text, "x")
	if !found || part != "old\n" || before+part+after != text {
		t.Errorf("between = %q, %q, %q, %t", before, part, after, found)
	}
	for _, name := range []string{"y", "z"} { // never closed, not there
		if _, _, _, found := between(text, name); found {
			t.Errorf("part %s was found", name)
		}
	}
}

// between cuts out what stands between the markers of a part.
func between(text, name string) (before, part, after string, found bool) {
	const end = "<!-- end -->\n"
	begin := "<!-- from the code: " + name + " -->\n"
	i := strings.Index(text, begin)
	if i < 0 {
		return "", "", "", false
	}
	i += len(begin)
	n := strings.Index(text[i:], end)
	if n < 0 {
		return "", "", "", false
	}
	return text[:i], text[i : i+n], text[i+n:], true
}

// table writes rows as a Markdown table.
func table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	return b.String()
}

// stateTable leaves the redo out, which leads from almost everywhere to ASSESS.
func stateTable() string {
	rows := [][]string{{"state", "who acts", "what happens → next state"}}
	for _, name := range machine.Names {
		var edges []string
		for _, edge := range slices.Sorted(maps.Keys(machine.Edges[name])) {
			if edge != machine.Redo {
				edges = append(edges, fmt.Sprintf("%s → %s", edge, machine.Edges[name][edge]))
			}
		}
		rows = append(rows, []string{string(name), machine.Actors[name], strings.Join(edges, " · ")})
	}
	return table(rows...)
}

// gateTable leaves out stop, which every gate has.
func gateTable() string {
	rows := [][]string{{"gate", "opens when", "answers"}}
	for _, o := range machine.Offers() {
		var answers []string
		for _, option := range o.Options {
			if option.Name == "stop" {
				continue
			}
			answer := "`" + option.Word() + "`"
			if option.Name == "1" { // stands for all the choices of a decision
				answer = "`1`, `2`, … · `" + machine.InOwnWords + "` (reason)"
			}
			if option.WantsReason {
				answer += " (reason)"
			}
			answers = append(answers, answer)
		}
		rows = append(rows, []string{"`" + string(o.Kind) + "`", o.When, strings.Join(answers, " · ")})
	}
	return table(rows...)
}

func commandTable(root *cobra.Command) string {
	rows := [][]string{{"command", "what it does"}}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			rows = append(rows, []string{"`autopilot " + c.Use + "`", c.Short})
		}
	}
	return table(rows...)
}

func keyTable() string {
	rows := [][]string{{"key", "value", "default", "meaning"}}
	for _, k := range config.Keys() {
		initial := k.Default
		if initial != "" {
			initial = "`" + initial + "`"
		}
		value := k.Type
		if strings.Contains(k.Allowed, "|") {
			value = strings.ReplaceAll(k.Allowed, "|", ", ")
		}
		rows = append(rows, []string{"`" + k.Name + "`", value, initial, k.Doc})
	}
	return table(rows...)
}

// statusTable tells what a server's statuses mean.
func statusTable() string {
	means := map[limits.Cause]string{
		limits.KeyRefused: "a refused key", limits.LimitPassing: "a limit", limits.LimitUsedUp: "a used-up balance: a limit", limits.OutOfOrder: "an outage",
	}
	rows := [][]string{{"status", "cause"}}
	for _, s := range limits.Statuses {
		span := fmt.Sprint(s.From)
		if s.To != s.From {
			span += fmt.Sprint(" to ", s.To)
		}
		rows = append(rows, []string{span, means[s.Cause]})
	}
	return table(append(rows, []string{"others from 400", "the request's own fault: of a program a crash"})...)
}

// serverTable lists the known servers.
func serverTable() string {
	rows := [][]string{{"preset", "address", "key"}}
	for _, name := range openai.Presets() {
		p, _ := openai.PresetOf(name)
		address, keys := p.BaseURL, strings.Join(p.KeyEnv, " or ")
		if p.AddressEnv != "" {
			address = strings.TrimPrefix(address+", or what "+p.AddressEnv+" names", ", or ")
		}
		if !p.NeedsKey {
			keys += ", where the server wants one"
		}
		rows = append(rows, []string{"`" + name + "`", address, keys})
	}
	return table(rows...)
}
