package notify

import (
	"encoding/json"
	"slices"
	"sync"

	"autopilot/autopilot/plainfile"
)

// SentName is the file in a session's folder that says which notices arrived. It decides only what is sent again.
const SentName = "notified.json"

// sentFile knows which notices each channel took, in this run and earlier ones.
type sentFile struct {
	path    string
	mu      sync.Mutex
	Sent    map[string][]string `json:"sent"` // channels by the notice's id
	claimed map[string]bool     // by notice and channel: sent, or on its way
}

func key(id, channel string) string { return id + "\x00" + channel }

// readSent reads the file. One that is missing or cannot be read says that nothing was sent.
func readSent(path string) *sentFile {
	f := &sentFile{path: path, claimed: map[string]bool{}}
	if path != "" {
		_ = plainfile.ReadJSON(path, f)
	}
	if f.Sent == nil {
		f.Sent = map[string][]string{}
	}
	for id, channels := range f.Sent {
		for _, c := range channels {
			f.claimed[key(id, c)] = true
		}
	}
	return f
}

// claim says whether a notice is still to be sent over a channel, once.
func (f *sentFile) claim(id, channel string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.claimed[key(id, channel)]
	f.claimed[key(id, channel)] = true
	return !was
}

// add records that a channel took a notice.
func (f *sentFile) add(id, channel string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Sent[id] = append(f.Sent[id], channel)
	slices.Sort(f.Sent[id])
	if f.path == "" {
		return nil
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return plainfile.Replace(f.path, append(data, '\n'))
}
