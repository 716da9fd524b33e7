package cmd

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"autopilot/temporal/payload"
)

// keyFile makes a key file with the keys of some ids; the first encrypts.
func keyFile(t *testing.T, ids ...string) (file string, keys payload.Keys) {
	t.Helper()
	var text strings.Builder
	for _, id := range ids {
		fmt.Fprintln(&text, id, base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%032s", id)))
	}
	file = filepath.Join(t.TempDir(), "keys")
	put(t, file, text.String())
	keys, err := payload.ReadKeys(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, keys
}

// TestASessionFromBeforeTheKeysIsStillFound: its workflow has the slug in its id, and not the hash.
func TestASessionFromBeforeTheKeysIsStillFound(t *testing.T) {
	for name, c := range map[string]struct {
		keyless       bool // the person has no keys
		hashed, plain bool // the server knows a workflow with such an id
		want          string
	}{
		"a session of today":       {hashed: true, want: "hash"},
		"one from before the keys": {plain: true, want: "spec"},
		"one of each":              {hashed: true, plain: true, want: "hash"},
		"none":                     {want: "hash"},
		"without keys":             {keyless: true, hashed: true, plain: true, want: "spec"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			file, keys := keyFile(t, "a")
			ids := map[string]string{"hash": m.workflow(payload.HashSlug(keys, "spec")), "spec": m.workflow("spec")}
			for id, known := range map[string]bool{ids["hash"]: c.hashed, ids["spec"]: c.plain} {
				if known {
					m.server.workflows[id] = enums.WORKFLOW_EXECUTION_STATUS_RUNNING
				}
			}
			args := []string{"stop", spec}
			if !c.keyless {
				args = append(args, "--keys", file)
			}
			if said, code := m.types(args...); code != 0 || m.server.signal != ids[c.want] {
				t.Errorf("the signal went to %q, not to %q\n%d: %s", m.server.signal, ids[c.want], code, said)
			}
		})
	}
}
