package storage

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/plainfile"
)

// mark matches the key at the end of a line: an HTML comment in Markdown, {#key} in progress.txt.
var mark = lazyregexp.New(`(?m)(?:<!-- key:(\S+) -->|\{#(\S+)\})\r?$`)

// appendLog is a text file that only grows. A line with a key is written once, also by a later process.
type appendLog struct {
	disk Disk
	path string
	mu   sync.Mutex
	keys map[string]bool // nil until the file was read
	size int64           // of the file when it was read, and what was written since
	last string          // the last line that has an end
	torn string          // what is behind it: a crash cut it off
	owed []logLine       // could not be written, and come before the next one
}

type logLine struct{ text, key string }

// AppendLogs are the logs of a disk that this process appends to. Its methods may be called at the same time.
type AppendLogs struct {
	disk Disk
	mu   sync.Mutex
	logs map[string]*appendLog
}

// NewAppendLogs gives the logs of a disk, none of which was looked at yet.
func NewAppendLogs(disk Disk) *AppendLogs {
	return &AppendLogs{disk: disk, logs: map[string]*appendLog{}}
}

// Add appends a line to the log at path, unless its key is there already. The line carries its key; "" is none. A line
// that cannot be written is tried again with the next one.
func (a *AppendLogs) Add(path, line, key string) error {
	a.mu.Lock()
	l := a.logs[path]
	if l == nil {
		l = &appendLog{disk: a.disk, path: path}
		a.logs[path] = l
	}
	a.mu.Unlock()
	return l.add(line, key)
}

// Settle writes the lines that are owed in all logs, as far as it can: that they could not be written was said then.
func (a *AppendLogs) Settle() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.logs {
		l.mu.Lock()
		_ = l.settle()
		l.mu.Unlock()
	}
}

func (l *appendLog) add(line, key string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.settle()
	if err == nil {
		err = l.write(logLine{line, key}, false)
	}
	if err != nil {
		l.owed = append(l.owed, logLine{line, key})
	}
	return err
}

// settle writes the lines that are owed.
func (l *appendLog) settle() (err error) {
	for len(l.owed) > 0 && err == nil {
		if err = l.write(l.owed[0], true); err == nil {
			l.owed = l.owed[1:]
		}
	}
	return err
}

// write appends a line. One that is tried again may be there whole: what failed then came after it.
func (l *appendLog) write(line logLine, again bool) error {
	anew, err := l.look()
	if err != nil {
		return err
	}
	if anew && again && l.last == line.text && l.torn == "" {
		return nil
	}
	if line.key != "" && l.keys[line.key] {
		return nil
	}
	text := line.text + "\n"
	if rest, begun := strings.CutPrefix(text, l.torn); begun {
		text = rest
	} else {
		text = "\n" + text
	}
	if err := appendTo(l.disk, l.path, text); err != nil {
		l.keys = nil // part of it may be there: look again
		return fmt.Errorf("writing %s: %w", filepath.Base(l.path), err)
	}
	l.last, l.torn, l.size = line.text, "", l.size+int64(len(text))
	l.keys[line.key] = true
	return nil
}

// look reads the file where it is not known, or somebody else wrote into it: their last line may have no end.
func (l *appendLog) look() (anew bool, err error) {
	info, err := l.disk.Lstat(l.path)
	if err == nil && l.keys != nil && info.Size() == l.size {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("looking at %s: %w", filepath.Base(l.path), err)
	}
	return true, l.load()
}

func (l *appendLog) load() error {
	if err := Plain(l.disk, l.path); err != nil {
		return err
	}
	text, err := l.disk.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading %s: %w", filepath.Base(l.path), err)
	}
	l.keys, l.size = map[string]bool{}, int64(len(text))
	for _, m := range mark.FindAllSubmatch(text, -1) {
		l.keys[string(m[1])+string(m[2])] = true
	}
	end := bytes.LastIndexByte(text, '\n')
	l.torn = string(text[end+1:])
	l.last = string(text[bytes.LastIndexByte(text[:max(end, 0)], '\n')+1 : max(end, 0)])
	return nil
}

// appendTo writes text at the end of a file in one piece, so that other writers' lines stay whole.
func appendTo(disk Disk, path, text string) error {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, plainfile.PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(text))
	return errors.Join(err, f.Close())
}
