package personas

import (
	"slices"
	"testing"
)

func TestSecretsAreFoundByTheNamesOfVariables(t *testing.T) {
	got := Secrets([]string{"OPENAI_API_KEY=12345678", "gh_token=123456789", "HOME=/home/somebody", "DB_PASSWORD=short", "A_KEY=12345678"}, "further-one")
	if want := []string{"further-one", "123456789", "12345678"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q, the longest first", got, want)
	}
}
