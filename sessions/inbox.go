package sessions

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"autopilot/autopilot/jsonedit"
	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

const (
	inboxName  = "inbox"
	refusedExt = ".refused.json"
)

// maxAnswer is the size above which a file in the inbox is no answer, in bytes.
const maxAnswer = 64 << 10

// gateID is what a gate is called: "g" and the revision at which it opened.
var gateID = lazyregexp.New(`^g[0-9]{1,18}$`)

// InboxFile is a file inbox/<gate>.json: somebody's answer to a gate. Problem says why it is none; then the answer is
// empty, and all that is left to do with the file is to Refuse it.
type InboxFile struct {
	Path    string
	Answer  machine.Answer
	ModTime time.Time
	Problem string
}

// Inbox lists the answers that wait, by name. A file that was there before the open gate was asked has a Problem: it
// cannot be an answer to it.
func (s *Session) Inbox() ([]InboxFile, error) {
	dir := join(s.dir, inboxName)
	if err := storage.PlainFolder(s.opts.Disk, dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the inbox: %w", err)
	}
	var files []InboxFile
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".json") || strings.HasSuffix(name, refusedExt) || strings.HasPrefix(name, notePrefix) || isWish(name) {
			continue
		}
		if f, there := readAnswer(join(dir, name)); there {
			if f.Problem == "" && s.early(f) {
				f.Problem = "it was there before the question was asked"
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// coarse is how far a file's time may lag behind the clock: the kernel stamps files with the time of its last tick.
const coarse = 20 * time.Millisecond

func (s *Session) early(f InboxFile) bool {
	g := s.state.Gate
	if g == nil || f.Answer.Gate != g.ID {
		return false
	}
	if s.opts.Now().Before(g.AskedAt) {
		return false // the clock was set back: until it has caught up, the times of files tell nothing about the question's
	}
	asked := g.AskedAt.Add(-coarse)
	if f.ModTime.Nanosecond() == 0 { // a file system that keeps whole seconds
		asked = asked.Truncate(2 * time.Second)
	}
	return f.ModTime.Before(asked)
}

// readAnswer reads one file; there is false when somebody took it meanwhile.
func readAnswer(path string) (f InboxFile, there bool) {
	f = InboxFile{Path: path}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, false
	}
	if err == nil {
		f.ModTime = info.ModTime()
		f.Answer, f.Problem, err = parseAnswer(path, info)
	}
	if err != nil {
		f.Problem = "it cannot be read: " + err.Error()
	}
	return f, true
}

func parseAnswer(path string, info fs.FileInfo) (a machine.Answer, problem string, err error) {
	gate := strings.TrimSuffix(filepath.Base(path), ".json")
	switch {
	case !info.Mode().IsRegular():
		return a, "it is not a plain file", nil
	case strangersIn(filepath.Dir(path), info):
		return a, "it belongs to another user, because others can write to the inbox; remove that right: chmod go-w " + filepath.Dir(path), nil
	case info.Size() > maxAnswer:
		return a, fmt.Sprintf("it is larger than %d KB", maxAnswer>>10), nil
	case !gateID.MatchString(gate):
		return a, "its name is not that of a gate, such as g12.json", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return a, "", err
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return machine.Answer{}, "it is not JSON of the form {\"gate\", \"option\", \"reason\", \"by\"}: " + err.Error(), nil //nolint:nilerr // what is wrong with the file is the second value
	}
	if err := jsonedit.UniqueKeys(text); err != nil {
		return machine.Answer{}, err.Error(), nil //nolint:nilerr // as above
	}
	if a.Gate == "" {
		a.Gate = gate
	}
	if a.Gate != gate {
		return machine.Answer{}, fmt.Sprintf("its name says gate %s, its content gate %s", gate, a.Gate), nil
	}
	return a, "", nil
}

// strangersIn says whether an answer belongs to somebody who could put it there without having been given the right to:
// whoever may write to the session's folder may put another inbox in the place of this one.
func strangersIn(inbox string, file fs.FileInfo) bool {
	folder, err := os.Lstat(inbox)
	session, errAbove := os.Lstat(filepath.Dir(inbox))
	return err == nil && errAbove == nil && isStrangers(session, folder, file)
}

// Remove removes an answer that was taken.
func (s *Session) Remove(f InboxFile) error {
	if err := storage.RemoveIfThere(storage.OSDisk{}, f.Path); err != nil {
		return fmt.Errorf("removing a taken answer: %w", err)
	}
	return nil
}

// refusal is what a .refused.json file holds.
type refusal struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"refusedAt"`
	File   string    `json:"file,omitempty"`   // where the refused thing lies, when it is no answer at all
	Answer string    `json:"answer,omitempty"` // the refused file's text
}

// Refuse takes a file out of the inbox and leaves <gate>.refused.json with the reason in its place. What is no
// readable file is moved aside as it is.
func (s *Session) Refuse(f InboxFile, reason string) error {
	base := strings.TrimSuffix(f.Path, ".json")
	r := refusal{Reason: reason, At: s.opts.Now().UTC()}
	if info, err := os.Lstat(f.Path); err == nil && info.Mode().IsRegular() && info.Size() <= maxAnswer {
		text, _ := os.ReadFile(f.Path) // unreadable: the reason says it
		r.Answer = string(text)
	} else {
		to, err := storage.FreeName(storage.OSDisk{}, base, ".refused")
		if err == nil {
			err = os.Rename(f.Path, to)
		}
		if err != nil {
			return fmt.Errorf("refusing an answer: %w", err)
		}
		r.File = filepath.Base(to)
	}
	if err := numberOlder(base); err != nil {
		return fmt.Errorf("refusing an answer: %w", err)
	}
	data, err := indented(r)
	if err == nil {
		err = storage.ReplaceFile(storage.OSDisk{}, base+refusedExt, data, false)
	}
	if err == nil {
		err = storage.RemoveIfThere(storage.OSDisk{}, f.Path)
	}
	if err != nil {
		return fmt.Errorf("refusing an answer: %w", err)
	}
	return nil
}

// numberOlder gives an earlier refusal at this gate a number, so that the name without one speaks of the last answer.
func numberOlder(base string) error {
	to, err := storage.FreeName(storage.OSDisk{}, base, refusedExt)
	if err != nil || to == base+refusedExt {
		return err
	}
	return os.Rename(base+refusedExt, to)
}

// refuseEarly refuses what lies in the inbox while a gate opens: gate ids can be guessed, and file times be forged.
// The answer that made it open stays: whoever took it removes its file.
func (s *Session) refuseEarly(cause *machine.Answer) {
	files, err := s.Inbox()
	if err != nil {
		return // the next look at the inbox tells, and file times still guard the gate
	}
	for _, f := range files {
		if cause == nil || f.Answer.Gate != cause.Gate {
			_ = s.Refuse(f, "it was there before the question was asked")
		}
	}
}

// PostAnswer puts an answer into the inbox of the session in dir, for the process that holds it. It is ErrAnswerWaiting
// when one for that gate is there.
func PostAnswer(dir string, a machine.Answer) error {
	if !gateID.MatchString(a.Gate) {
		return fmt.Errorf("%q is not the id of a gate, such as g12", a.Gate)
	}
	inbox, err := makeInbox(dir)
	if err != nil {
		return err
	}
	path := join(inbox, a.Gate+".json")
	temp := join(inbox, a.Gate+"-"+rand.Text()+storage.TempSuffix)
	data, err := indented(a)
	if err == nil {
		err = numberOlder(join(inbox, a.Gate))
	}
	if err == nil {
		err = storage.WriteTemp(storage.OSDisk{}, temp, data, plainfile.PrivateFile, true)
	}
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	// A link never replaces what is there, and nobody sees half a file.
	err = os.Link(temp, path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = writeNew(path, data) // a file system without hard links
	}
	_ = os.Remove(temp)
	if errors.Is(err, fs.ErrExist) {
		return ErrAnswerWaiting
	}
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// makeInbox makes the inbox of the session in dir, and refuses a link in its place.
func makeInbox(dir string) (string, error) {
	inbox := join(dir, inboxName)
	if err := storage.PlainFolder(storage.OSDisk{}, inbox); err != nil {
		return "", err
	}
	if err := plainfile.MakeFolder(inbox); err != nil {
		return "", fmt.Errorf("making the inbox: %w", err)
	}
	return inbox, nil
}

// AnswerWaits says whether an answer to a gate lies in the inbox and was not taken yet.
func AnswerWaits(dir, gate string) bool {
	_, err := os.Lstat(join(dir, inboxName, gate+".json"))
	return err == nil
}

// WithdrawAnswer takes an answer out of the inbox again, and says whether it was still there.
func WithdrawAnswer(dir, gate string) bool {
	return os.Remove(join(dir, inboxName, gate+".json")) == nil
}

func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, plainfile.PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// Refused tells whether the last answer to a gate was refused in the inbox, and why. It takes no lock.
func Refused(dir, gate string) (reason string, refused bool) {
	data, err := os.ReadFile(join(dir, inboxName, gate+refusedExt))
	if err != nil {
		return "", false
	}
	var r refusal
	if json.Unmarshal(data, &r) != nil {
		return "", false
	}
	return r.Reason, true
}
