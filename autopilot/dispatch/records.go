package dispatch

import (
	"encoding/json"
	"os"
)

// readReply reads a record of a session.
func readReply(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

func short(sha string) string { return sha[:min(len(sha), 8)] }
