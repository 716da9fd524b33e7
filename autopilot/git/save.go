package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"autopilot/autopilot/git/disk"
)

// Files are those of the working tree, as the bytes that they are.
type Files struct {
	*runner
	refs    *Refs
	history *History
	tree    *Tree
	limits  limits
}

// File is the exact state of one path on disk.
type File = disk.File

// What Save takes at most: bytes of one file, and of all files together.
const (
	MaxSavedFile  = 10 << 20
	MaxSavedTotal = 200 << 20
)

type limits struct{ file, all int64 }

// Saved is what Save put under a ref.
type Saved struct {
	Ref     string `json:"ref,omitempty"`     // "" when there was nothing to save
	Files   []File `json:"files,omitempty"`   // saved byte for byte
	LeftOut []File `json:"leftOut,omitempty"` // over the limits; without Blob
	Absent  []File `json:"absent,omitempty"`  // paths where there was nothing (deleted); without Mode
}

// All is every file that was looked at, for Watch and Altered.
func (s Saved) All() []File { return slices.Concat(s.Files, s.LeftOut, s.Absent) }

// Save makes a commit without parents that holds exactly the present bytes of these paths (nil takes all of Dirt):
// no filters, no line-ending conversion, executable bits and links kept. It goes under ref (refs/autopilot/…), or
// where that is taken under ref-2, ref-3 and so on; nothing saved is ever overwritten. Neither the index nor HEAD nor
// hooks take part. Files over MaxSavedFile, and those past MaxSavedTotal in the order of their paths, are left out.
func (r *Files) Save(ctx context.Context, ref, message string, paths []string) (Saved, error) {
	if paths == nil {
		now, err := r.tree.Status(ctx)
		if err != nil {
			return Saved{}, err
		}
		paths = Paths(now.Dirt)
	}
	saved, err := r.weigh(paths)
	if err != nil || len(saved.Files) == 0 {
		return saved, err
	}
	if saved.Ref, err = r.refs.free(ctx, ref); err != nil {
		return Saved{}, err
	}
	s := &saving{files: r, message: message, saved: &saved}
	// Called off half-way it would leave the ref's lock behind, as write says.
	_, _, err = r.run(context.WithoutCancel(ctx), call{args: importArgs, feed: s.feed})
	if err != nil {
		return Saved{}, fmt.Errorf("saving the working tree under %s: %w", saved.Ref, err)
	}
	return saved, nil
}

// fast-import takes contents, names and modes as they are and makes blobs, tree, commit and ref in one process. With
// --done a stream that was cut off leaves nothing.
var importArgs = []string{
	"-c", "core.fsync=all", "fast-import", "--quiet", "--done", "--date-format=now",
}

// beginCommit begins a commit of the program's own, mark 1, in a stream to fast-import.
func beginCommit(w io.Writer, ref, message string) {
	fmt.Fprintf(w, "commit %s\nmark :1\ncommitter autopilot <autopilot@localhost> now\ndata %d\n%s\n", ref, len(message), message)
}

// weigh looks at every path and decides what can be saved.
func (r *Files) weigh(paths []string) (Saved, error) {
	d, err := r.openDisk()
	if err != nil {
		return Saved{}, err
	}
	defer d.Close()
	var saved Saved
	total := int64(0)
	for _, path := range slices.Compact(slices.Sorted(slices.Values(projectPaths(paths)))) {
		f, err := d.Look(path)
		switch {
		case err != nil:
			return Saved{}, fmt.Errorf("looking at %q: %w", path, err)
		case f.Mode == "":
			saved.Absent = append(saved.Absent, f)
		case f.Size > r.limits.file || total+f.Size > r.limits.all:
			saved.LeftOut = append(saved.LeftOut, f)
		default:
			total += f.Size
			saved.Files = append(saved.Files, f)
		}
	}
	return saved, nil
}

// saving is one stream to fast-import.
type saving struct {
	files   *Files
	message string
	saved   *Saved
}

func (s *saving) feed(w io.Writer) error {
	d, err := s.files.openDisk()
	if err != nil {
		return err
	}
	defer d.Close()
	beginCommit(w, s.saved.Ref, s.text())
	for i, f := range s.saved.Files {
		f, data, err := d.Load(f.Path)
		if err == nil && f.Mode == "" {
			err = errors.New("it vanished while it was being saved")
		}
		if err != nil {
			return fmt.Errorf("reading %q: %w", f.Path, err)
		}
		s.saved.Files[i] = f
		fmt.Fprintf(w, "M %s inline %s\ndata %d\n", f.Mode, quoted(f.Path), len(data))
		if _, err := w.Write(append(data, '\n')); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, "done\n")
	return err
}

// text is the message; it names what the tree cannot show.
func (s *saving) text() string {
	var b strings.Builder
	b.WriteString(s.message + "\n")
	for _, f := range s.saved.Absent {
		fmt.Fprintf(&b, "\nDeleted: %q", f.Path)
	}
	for _, f := range s.saved.LeftOut {
		fmt.Fprintf(&b, "\nToo large to be saved: %q, %d bytes", f.Path, f.Size)
	}
	return b.String()
}

// Look tells what is at these paths of the working tree, with the id of the bytes, for Altered. Of what Save would
// leave out the size alone is told.
func (r *Files) Look(paths []string) ([]File, error) {
	weighed, err := r.weigh(paths)
	if err != nil {
		return nil, err
	}
	d, err := r.openDisk()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for i := range weighed.Files {
		f := &weighed.Files[i]
		now, _, err := d.Load(f.Path)
		if err != nil {
			return nil, fmt.Errorf("reading %q: %w", f.Path, err)
		}
		*f = now
	}
	return weighed.All(), nil
}
