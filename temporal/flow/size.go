package flow

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"autopilot/autopilot/machine"
)

// Size is how large an input is as it is sent: compressed, in bytes.
func Size(in Input) int {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(in); err != nil || z.Close() != nil {
		return 0 // the server will say what is wrong with it
	}
	return packed.Len()
}

// Fit compacts the state of an input that is too large, and says why it is too large even so; "" where it isn't.
func Fit(in Input, size func(Input) int) (Input, string) {
	n := size(in)
	if n > largest {
		in.State = compact(in.State)
		n = size(in)
	}
	if n <= largest {
		return in, ""
	}
	return in, fmt.Sprintf("its compressed state has %.2f MB, and on workers it may have at most 1.5", float64(n)/1e6)
}

var measure = Size // tests set another

// sent is the size of an input. What a library makes of it is not for a replay to find out again.
func sent(ctx workflow.Context, in Input) (size int) {
	_ = workflow.SideEffect(ctx, func(workflow.Context) any { return measure(in) }).Get(&size) // it was just encoded
	return size
}

// compact replaces long texts of tasks and phases that are over by hashes, in a copy: the hub's journal has the texts, and no later event
// depends on them. The current task and phase keep theirs, for the question about the one, and for fixes of the other's findings.
func compact(s machine.State) machine.State {
	why := func(f *machine.Finding) { hash(&f.Rationale) }
	s.Tasks, s.Phases = slices.Clone(s.Tasks), slices.Clone(s.Phases)
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Over() && t.ID != s.CurrentTask { // not its account, which a later question quotes
			t.Also, t.Findings, t.Concerns, t.Proofs = each(t.Also, why), each(t.Findings, why), each(t.Concerns, hash), each(t.Proofs, hash)
			t.Attempts = each(t.Attempts, func(a *machine.Attempt) { hash(&a.Error); hash(&a.Fix) })
			hash(&t.Diagnosis)
			hash(&t.Summary)
		}
	}
	for i := range s.Phases {
		if p := &s.Phases[i]; p.Over() && i != s.CurrentPhase {
			p.Checks = each(p.Checks, func(c *machine.Check) { hash(&c.Detail) })
			p.Findings, p.Proofs = each(p.Findings, why), each(p.Proofs, hash)
		}
	}
	return s
}

// hash replaces a text by its hash, unless the text is shorter.
func hash(text *string) {
	if sum := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(*text))); len(sum) < len(*text) {
		*text = sum
	}
}

// each changes a copy of a list, which other states share.
func each[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}
