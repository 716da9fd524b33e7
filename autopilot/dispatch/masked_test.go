package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"autopilot/personas"
)

// TestWhatIsShortenedForAPromptHoldsNoPartOfASecret: the mask over the whole prompt comes too late for half of one.
func TestWhatIsShortenedForAPromptHoldsNoPartOfASecret(t *testing.T) {
	const secret, like = "Zq7vWx9kYj3mPb5n", "ghp_R4tL8sD2fG6hJ1kQ9wE5yU3iO7pA0zXcVbNm"
	m, root := personas.NewMask(nil, secret), t.TempDir()
	dense := strings.Repeat(secret+","+like+";", 2_000)
	if err := os.WriteFile(filepath.Join(root, "AGENTS.md"), []byte(dense), 0o600); err != nil {
		t.Fatal(err)
	}
	guide, name := Guide(m, root)
	if name != "AGENTS.md" || !strings.HasPrefix(guide, "[secret],[secret];") {
		t.Errorf("%s: %.60q", name, guide)
	}
	for limit := 1_000; limit < 1_100; limit++ {
		text := guide + m.Shorten(dense, limit)
		for _, s := range []string{secret, like} {
			for at := range len(s) - 5 {
				if strings.Contains(text, s[at:at+6]) {
					t.Fatalf("at %d bytes %q is left", limit, s[at:at+6])
				}
			}
		}
	}
	if got := m.Shorten("as it is", 100); got != "as it is" {
		t.Error(got)
	}
}
