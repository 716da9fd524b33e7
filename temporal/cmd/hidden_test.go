package cmd

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/proto"

	"autopilot/temporal/payload"
)

// TestKeysHideWhatTemporalKeeps: a session that is submitted with them shows the server nothing of the repository's but the hub's address.
func TestKeysHideWhatTemporalKeeps(t *testing.T) {
	file, keys := keyFile(t, "new", "old")
	_, others := keyFile(t, "other")
	for name, c := range map[string]struct {
		args, variable string
		hidden         bool
	}{
		"without keys":            {},
		"with keys by flag":       {args: file, hidden: true},
		"with keys by a variable": {variable: file, hidden: true},
		"the flag goes first":     {args: file, variable: file + ".none", hidden: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			m.server.attributes = registered()
			t.Setenv("TEMPORAL_AUTOPILOT_KEYS", c.variable)
			m.submits("--keys", c.args)
			all, err := proto.Marshal(m.server.started[0])
			if err != nil {
				t.Fatal(err)
			}
			if shown := shows(all, "Greeting", spec, "max_dispatches", `"spec"`); c.hidden && shown != "" {
				t.Errorf("the server sees %s", shown)
			}
			for reader, r := range map[string]struct {
				keys payload.Keys
				can  bool
			}{"without keys": {payload.Keys{}, !c.hidden}, "with the keys": {keys, true}, "with other keys": {others, !c.hidden}} {
				var in any
				if err := payload.Converter(r.keys).FromPayloads(m.server.started[0].Input, &in); (err == nil) != r.can {
					t.Errorf("a reader %s: %v", reader, err)
				}
			}
			if slug := strings.HasSuffix(m.server.started[0].WorkflowId, "/spec"); slug == c.hidden {
				t.Errorf("the workflow is %s", m.server.started[0].WorkflowId)
			}
		})
	}
}

// shows is the first of some texts that are there.
func shows(all []byte, texts ...string) string {
	for _, text := range texts {
		if bytes.Contains(all, []byte(text)) {
			return text
		}
	}
	return ""
}

// TestKeysHideWhatFailuresSay: an error of a step quotes the repository.
func TestKeysHideWhatFailuresSay(t *testing.T) {
	m := newMine(t)
	file, keys := keyFile(t, "a")
	h := m.host(&bytes.Buffer{})
	var used client.Options
	c, err := (&fleet{Host: &h, keyFile: file}).dial(t.Context(), io.Discard, func(o *client.Options) { used = *o })
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if used.FailureConverter == nil {
		t.Fatal("the client sends failures as they are")
	}
	failure := used.FailureConverter.ErrorToFailure(errors.New("main.go:41 is wrong"))
	all, err := proto.Marshal(failure)
	if err != nil {
		t.Fatal(err)
	}
	if shown := shows(all, "main.go", "wrong"); shown != "" {
		t.Errorf("the server sees %s", shown)
	}
	if got := failures(payload.Converter(keys)).FailureToError(failure).Error(); !strings.Contains(got, "main.go:41 is wrong") {
		t.Errorf("with the keys it is %q", got)
	}
}
