package sessions

import (
	"os"
	"path/filepath"
	"slices"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// Wishes are what a person can want of a live run without a question: each is a file in the inbox.
var Wishes = []machine.Wish{machine.WishStop, machine.WishPause}

func wishPath(dir string, w machine.Wish) string { return join(dir, inboxName, string(w)+".json") }

// PostWish leaves a wish in the inbox of the session in dir, for the run that is alive. The run takes it at its next step.
func PostWish(dir string, w machine.Wish, by string) error {
	if _, err := makeInbox(dir); err != nil {
		return err
	}
	data, err := indented(struct {
		By string `json:"by,omitempty"`
	}{by})
	if err != nil {
		return err
	}
	return storage.ReplaceFile(storage.OSDisk{}, wishPath(dir, w), data, false)
}

// Wished says whether a wish lies in the inbox of the session in dir.
func Wished(dir string, w machine.Wish) bool {
	path := wishPath(dir, w)
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && !strangersIn(filepath.Dir(path), info)
}

// DropWish takes a wish out of the inbox of the session in dir, because it is done or nobody is there for it.
func DropWish(dir string, w machine.Wish) {
	if plainFolders(storage.OSDisk{}, dir) == nil && storage.PlainFolder(storage.OSDisk{}, join(dir, inboxName)) == nil {
		_ = os.Remove(wishPath(dir, w))
	}
}

// isWish says whether a file of the inbox is a wish.
func isWish(name string) bool {
	return slices.ContainsFunc(Wishes, func(w machine.Wish) bool { return name == string(w)+".json" })
}
