package sessions

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzAnswerFile: what somebody leaves in the inbox is an answer to the gate of its name, or has a problem in words.
func FuzzAnswerFile(f *testing.F) {
	for _, text := range []string{
		`{"option":"yes"}`, `{"gate":"g2","option":"yes","reason":"r","phase":1,"by":"x"}`, `{"gate":"g1","option":"yes"}`, `{"option":"stop","option":"yes"}`,
		`{"option":1e999}`, `{"phase":99999999999999999999}`, strings.Repeat("[", 50_000), "null", "[]", "\xff", "",
	} {
		f.Add([]byte(text))
	}
	path := filepath.Join(f.TempDir(), "g2.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, there := readAnswer(path)
		if !there || file.Problem == "" && file.Answer.Gate != "g2" || file.Problem != "" && file.Answer.Option != "" {
			t.Errorf("%v, %+v", there, file)
		}
	})
}

// FuzzJournal: a journal with anything in it is read as far as it is whole, or refused by its name; never is more read
// than what was written.
func FuzzJournal(f *testing.F) {
	whole := func(t testing.TB, dir string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, JournalName))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	dir := filepath.Join(f.TempDir(), ".harness", "sessions", "spec")
	s, err := Create(dir, first(), options())
	if err != nil {
		f.Fatal(err)
	}
	rev := s.State().Revision
	if err := s.Close(); err != nil {
		f.Fatal(err)
	}
	good := whole(f, dir)
	for _, text := range []string{"", string(good), string(good) + `{"rev":2`, string(good) + string(good), strings.Replace(string(good), "rev", "rew", 1), "\x00", "{}\n", strings.Repeat("{", 50_000)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, JournalName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		state, _, err := Read(dir, options())
		var unreadable *UnreadableError
		var newer *NewerError
		if err != nil && !errors.As(err, &unreadable) && !errors.As(err, &newer) && !errors.Is(err, ErrNoSession) {
			t.Errorf("an error of another kind: %v", err)
		}
		if err == nil && state.Revision > rev && !bytes.HasPrefix(data, good) {
			t.Errorf("revision %d was read, %d was written", state.Revision, rev)
		}
	})
}
