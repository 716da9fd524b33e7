package audit

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"autopilot/autopilot/machine"
	"autopilot/sessions/storage"
)

// lookAtOutputs holds the file of each record's output against its size, its hash, and how its commands ended.
func (a *Report) lookAtOutputs(dir string) {
	older := 0
	for _, p := range a.Proofs {
		switch {
		case p.Evidence == nil && len(p.Checks) > 0:
			older++
		case p.Evidence != nil && p.Evidence.Output != "":
			a.Outputs++
			where := fmt.Sprintf("%s (revision %d)", p.Evidence.Output, p.Rev)
			if what := outputWrong(dir, p); what != "" {
				a.problem(PartOutputs, where, "what the commands printed cannot be shown for this record any more", "%s", what)
			}
		}
	}
	if older > 0 {
		a.say("%s made by an older program, with neither tree nor output", machine.Plural(older, "record was", "records were"))
	}
}

// outputWrong says what is wrong with a record's output; "" is nothing.
func outputWrong(dir string, p Proof) string {
	ev := p.Evidence
	if !filepath.IsLocal(filepath.FromSlash(ev.Output)) {
		return "its name leads out of the session's folder"
	}
	path := filepath.Join(dir, filepath.FromSlash(ev.Output))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the file is missing"
	case err != nil:
		return err.Error()
	case !info.Mode().IsRegular():
		return "it is no plain file"
	case info.Size() != ev.OutputBytes:
		return fmt.Sprintf("it has %d bytes, and the record says %d", info.Size(), ev.OutputBytes)
	}
	sum, missing, err := readOutput(path, p.Checks)
	switch {
	case err != nil:
		return err.Error()
	case sum != ev.OutputSHA256:
		return fmt.Sprintf("its SHA-256 is %.12s…, and the record says %.12s…", sum, ev.OutputSHA256)
	case missing != "":
		return "the journal says otherwise of how a command ended: the output has no line " + strconv.Quote(missing)
	}
	return ""
}

// readOutput reads a file of output, which may be of any size, for its hash and for the lines that begin and end each
// command in turn; missing is the first that is not there.
func readOutput(path string, checks []machine.Check) (sum, missing string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", "", err
	}
	defer file.Close()
	var want []string
	for _, c := range checks {
		first, _, _ := strings.Cut(c.Command, "\n")
		want = append(want, "$ "+first, machine.OutputEnd(c))
	}
	hash := sha256.New()
	lines := bufio.NewReaderSize(io.TeeReader(file, hash), 128<<10)
	for {
		line, long, err := lines.ReadLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", "", err
		}
		if len(want) > 0 && !long && string(line) == want[0] {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		missing = want[0]
	}
	return hex.EncodeToString(hash.Sum(nil)), missing, nil
}

// lookAtAttempts holds the folder of each dispatch against the journal. Where one was done again in the same folder,
// the last one counts; earlier work at a phase's position lies beside it, as .earlier.
func (a *Report) lookAtAttempts(dir string) {
	last := map[string]DispatchRecord{}
	for _, f := range a.Dispatches {
		last[fmt.Sprint(f.Phase, f.Place, f.Dispatch.Attempt)] = f
	}
	for _, f := range a.Dispatches {
		places, err := attemptFolders(dir, f)
		where := fmt.Sprintf("attempts/%d/%s/%d (revision %d)", f.Phase, f.Place, f.Dispatch.Attempt, f.Rev)
		if err != nil {
			a.problem(PartAttempts, where, "what was sent and what came back cannot be looked at", "%v", err)
			continue
		}
		if len(places) == 0 {
			a.problem(PartAttempts, where, "what was sent to the "+f.Dispatch.Persona+", and what came back, cannot be shown", "the folder is missing")
			continue
		}
		if f.Reply == nil || last[fmt.Sprint(f.Phase, f.Place, f.Dispatch.Attempt)].Rev != f.Rev {
			continue
		}
		a.Replies++
		if what := replyWrong(places, *f.Reply); what != "" {
			a.problem(PartAttempts, where, "the decision rests on the reply that the journal has", "%s", what)
		}
	}
}

// attemptFolders lists where a dispatch may have been kept: its folder, else those that a redo set aside.
func attemptFolders(dir string, f DispatchRecord) ([]string, error) {
	var found []string
	n := strconv.Itoa(f.Phase)
	for _, above := range []string{n, n + ".earlier", n + "-*.earlier", "*"} {
		matches, err := storage.Below(storage.OSDisk{}, dir, "attempts", above, f.Place, strconv.Itoa(f.Dispatch.Attempt))
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if info, err := os.Lstat(m); err == nil && info.IsDir() && !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

// replyWrong says why none of some folders has the reply that the journal has.
func replyWrong(places []string, want machine.Reply) string {
	what := "reply.json is missing"
	for _, place := range places {
		data, err := os.ReadFile(filepath.Join(place, "reply.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var got machine.Reply
		if err == nil {
			err = json.Unmarshal(data, &got)
		}
		switch {
		case err != nil:
			what = "reply.json cannot be read: " + err.Error()
		case reflect.DeepEqual(documentOf(got), documentOf(want)):
			return ""
		default:
			what = "reply.json is not the reply that the journal has"
		}
	}
	return what
}
