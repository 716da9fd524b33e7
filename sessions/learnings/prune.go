package learnings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"autopilot/autopilot/plainfile"
	"autopilot/sessions/storage"
)

const (
	// Many is the number of entries above which it is time to prune.
	Many = 30
	// Kept is how many of the newest entries a prune keeps.
	Kept = 20
)

// List are the entries of the learnings.md in a folder (.harness, or a session's), newest first.
func List(folder string) ([]Learning, error) {
	all, err := readLearnings(storage.OSDisk{}, filepath.Join(folder, fileName))
	return newestFirst(all), err
}

// Pruned is what a prune did, or would do: Archived says how many entries went to which file, by its path.
type Pruned struct {
	Kept     int            `json:"kept"`
	Archived map[string]int `json:"archived"`
}

// Prune keeps the newest entries of the learnings.md in a folder (the .harness folder itself, or a session's)
// and moves the older ones to archive/learnings-YYYY-MM.md by their month. What is no entry stays where it is. It is a
// *storage.LockedError while a run may write to the file. A dry run writes nothing. A nil disk is that of the system.
func Prune(disk storage.Disk, harness, folder string, dry bool, now func() time.Time) (Pruned, error) {
	if disk == nil {
		disk = storage.OSDisk{}
	}
	release, err := holdWriters(disk, harness, folder, now)
	if err != nil {
		return Pruned{}, err
	}
	defer release()
	path := filepath.Join(folder, fileName)
	text, err := readText(disk, path)
	if err != nil {
		return Pruned{}, err
	}
	rest, old := oldLearnings(text)
	done := Pruned{Kept: len(learningsIn(rest)), Archived: map[string]int{}}
	for _, month := range slices.Sorted(maps.Keys(old)) {
		file := filepath.Join(harness, "archive", "learnings-"+month+".md")
		done.Archived[file] = len(old[month])
		if dry {
			continue
		}
		if err := archiveLines(disk, file, "# Learnings of "+month+"\n\n", old[month]); err != nil {
			return done, fmt.Errorf("archiving learnings: %w", err)
		}
	}
	if dry || len(old) == 0 {
		return done, nil
	}
	if err := storage.ReplaceDurably(disk, path, []byte(rest), false); err != nil {
		return done, fmt.Errorf("pruning learnings: %w", err)
	}
	return done, nil
}

// holdWriters takes the locks of those who write to the learnings of a folder: the session's, or of .harness every
// session's, since each promotes to it.
func holdWriters(disk storage.Disk, harness, folder string, now func() time.Time) (release func(), err error) {
	folders := []string{folder}
	if folder == harness {
		if folders, err = storage.Below(disk, harness, "sessions", "*", storage.LockName); err != nil {
			return nil, fmt.Errorf("looking for the sessions: %w", err)
		}
		for i, lock := range folders {
			folders[i] = filepath.Dir(lock)
		}
	}
	var held []*storage.Lock
	release = func() {
		for _, l := range held {
			_ = l.Close()
		}
	}
	for _, f := range folders {
		lock, err := storage.LockTree(filepath.Join(f, storage.LockName), now)
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, lock)
	}
	return release, nil
}

// oldLearnings takes all but the newest entries out of a text, and sorts their lines by month.
func oldLearnings(text string) (rest string, old map[string][]string) {
	type entry struct {
		at   int
		date time.Time
	}
	lines := slices.Collect(strings.Lines(text))
	var entries []entry
	for i, line := range lines {
		if l, ok := parseLearning(line); ok {
			entries = append(entries, entry{i, l.Date})
		}
	}
	if len(entries) <= Kept {
		return text, nil
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return a.date.Compare(b.date) }) // further down is newer
	old = map[string][]string{}
	gone := entries[:len(entries)-Kept]
	slices.SortFunc(gone, func(a, b entry) int { return a.at - b.at })
	for _, e := range gone {
		month := e.date.Format("2006-01")
		old[month] = append(old[month], strings.TrimRight(lines[e.at], "\r\n"))
		lines[e.at] = ""
	}
	return strings.Join(lines, ""), old
}

// archiveLines appends lines to a file, each once: a prune that was cut off is done again.
func archiveLines(disk storage.Disk, file, head string, lines []string) error {
	if err := disk.MkdirAll(filepath.Dir(file), plainfile.PrivateFolder); err != nil {
		return err
	}
	out, err := readText(disk, file)
	if err != nil {
		return err
	}
	if out == "" {
		out = head
	} else if !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	known := strings.Split(strings.ReplaceAll(out, "\r\n", "\n"), "\n")
	for _, line := range lines {
		if !slices.Contains(known, line) {
			out += line + "\n"
		}
	}
	return storage.ReplaceDurably(disk, file, []byte(out), false)
}

// archivedLearnings are the entries that prunes took out: what is known of them is not learned again.
func archivedLearnings(disk storage.Disk, harness string) ([]Learning, error) {
	archive := filepath.Join(harness, "archive")
	files, err := disk.ReadDir(archive)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading archived learnings: %w", err)
	}
	var all []Learning
	for _, file := range files {
		if ok, _ := filepath.Match("learnings-*.md", file.Name()); !ok {
			continue
		}
		some, err := readLearnings(disk, filepath.Join(archive, file.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}
