package cmd

import (
	"strings"
	"testing"
)

// TestACodecForOthersNeedsAToken: whoever reaches it reads every payload.
func TestACodecForOthersNeedsAToken(t *testing.T) {
	m := newMine(t)
	file, _ := keyFile(t, "a")
	for address, want := range map[string]string{
		"0.0.0.0:99999": "anyone who reaches 0.0.0.0:99999 could read every payload\n  set a token: export TEMPORAL_AUTOPILOT_CODEC_TOKEN=$(openssl rand -hex 32)\n  or listen on this machine only: --listen 127.0.0.1:8234",
		":99999":        "anyone who reaches :99999 could read every payload", // where nobody can listen, so that no test waits
		"host:99999":    "anyone who reaches host:99999 could read every payload",
		"localhost":     "--listen localhost: ",
	} {
		if said, code := m.types("codec", "--keys", file, "--listen", address); code != 2 || !strings.Contains(said, want) {
			t.Errorf("at %s it ends with %d: %s", address, code, said)
		}
	}
}
