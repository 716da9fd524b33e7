package validate

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"autopilot/personas"
)

func maskOf(value string) func(io.Writer) io.WriteCloser {
	return func(to io.Writer) io.WriteCloser { return personas.NewMask(nil, value).Writer(to) }
}

func TestSecretsAreTakenOutOfOutput(t *testing.T) {
	var live strings.Builder
	r := Runner{Now: time.Now, Live: &live, OutputDir: t.TempDir(), Mask: maskOf("hunter22")}
	e := r.Run(t.Context(), t.TempDir(), Validation{Command: "printf 'it is hun'; sleep 0.1; printf 'ter22, '; echo really; printf hunter22; exit 1"})
	want := "it is [secret], really\n[secret]"
	if e.Output != want || live.String() != want {
		t.Errorf("%q, %q", e.Output, live.String())
	}
}

// TestSecretAtTheBoundsOfAnExcerptLeavesNoPart: whatever of the output is left out, a secret goes before that.
func TestSecretAtTheBoundsOfAnExcerptLeavesNoPart(t *testing.T) {
	const secret = "Zq7-Wv9-Xk3-Yj5"
	for _, of := range []int{headSize, tailSize} {
		filler := strings.Repeat("0123456789\n", of)[:of-len(secret)/2] // the bound is in the middle of the secret
		text := filler + secret + strings.Repeat("\n0123456789", 8_000) + "\n"
		if of == tailSize {
			text = strings.Repeat("0123456789\n", 8_000) + secret + "\n" + filler
		}
		dir := t.TempDir()
		if err := os.WriteFile(dir+"/out", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := Runner{Now: time.Now, Mask: maskOf(secret)}.Run(t.Context(), dir, Validation{Command: "cat out; exit 1"})
		for at := range len(secret) - 3 {
			if part := secret[at : at+4]; strings.Contains(e.Output, part) {
				t.Fatalf("of %d bytes, %q is left", of, part)
			}
		}
	}
}
