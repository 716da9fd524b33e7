package specdraft

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"autopilot/autopilot"
	"autopilot/autopilot/halt"
	"autopilot/autopilot/plainfile"
	"autopilot/spec"
)

// draftRecord is what a later run has to know of a draft that was stopped.
type draftRecord struct {
	Wish     string `json:"wish"`
	Attempt  int    `json:"attempt"`            // from 1
	Failure  string `json:"failure,omitempty"`  // what was wrong with the attempt before
	Dispatch string `json:"dispatch,omitempty"` // the last one, whose folder in .harness/out may be left over
	Snapshot string `json:"snapshot,omitempty"` // of the repository before the dispatch that has no end yet
	Done     bool   `json:"done"`
}

func (d *Draft) recordFile() string { return filepath.Join(d.dir, "draft.json") }

// save writes the record whole, or not at all.
func (d *Draft) save() error {
	data, err := json.MarshalIndent(d.record, "", "  ")
	if err != nil {
		return err
	}
	return plainfile.Replace(d.recordFile(), append(data, '\n'))
}

// begin finds the file that the spec goes to: that of a stopped draft of the same wish, else one that is not there yet.
func (d *Draft) begin(ctx context.Context) error {
	slug := specSlug(cmp.Or(strings.TrimSuffix(d.Name, ".md"), d.Wish))
	if slug == "" {
		return halt.Usage("there is no letter or digit to name the file after. Name it: --name SLUG")
	}
	for n := 1; ; n++ {
		name := slug
		if n > 1 {
			name = fmt.Sprintf("%s-%d", slug, n)
		}
		d.file, d.dir = Folder+"/"+name+".md", filepath.Join(d.harness(), "drafts", name)
		again, err := d.stopped()
		if err != nil {
			return err
		}
		if again {
			d.say("info", "Going on with the draft %s.", d.file)
			return errors.Join(d.takeUp(ctx), os.RemoveAll(d.out(d.record.Dispatch)))
		}
		if taken, err := d.taken(); err != nil {
			return err
		} else if !taken {
			return d.anew()
		}
	}
}

// stopped says whether a draft of the same wish was begun there and has no end, and recalls it. One that is being run
// by now is nothing to go on with.
func (d *Draft) stopped() (bool, error) {
	d.record = draftRecord{}
	err := plainfile.ReadJSON(d.recordFile(), &d.record)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, halt.Usage("%s cannot be read: %v\nRemove it, then run the same command again", d.recordFile(), err)
	}
	if d.record.Done || d.record.Wish != d.Wish {
		return false, nil
	}
	begun, err := d.hasSession()
	return !begun, err
}

// taken says whether there is a spec of that name, or a session of one that is gone.
func (d *Draft) taken() (bool, error) {
	if there, err := isThere(d.path()); err != nil || there {
		return there, err
	}
	return d.hasSession()
}

func (d *Draft) hasSession() (bool, error) {
	_, slug, err := autopilot.Slug(d.Repo.Root(), d.path())
	if err != nil {
		return false, err
	}
	return isThere(filepath.Join(d.harness(), "sessions", slug))
}

func isThere(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, halt.Usage("%v\nMake room for a folder %s, then run the same command again", err, filepath.Dir(path))
	}
	return true, nil
}

// anew begins a draft. What is left of another one of that name is put aside.
func (d *Draft) anew() error {
	err := os.Rename(d.dir, d.dir+".aside-"+d.NewID())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := plainfile.MakeFolder(d.dir); err != nil {
		return err
	}
	d.record = draftRecord{Wish: d.Wish, Attempt: 1}
	d.say("info", "Drafting %s.", d.file)
	return d.save()
}

// maxSpecSlug is how long the name of a drafted spec gets, in bytes.
const maxSpecSlug = 60

// specSlug makes a file's name of the first line with a letter or a digit in it; a long one is cut between words.
func specSlug(text string) string {
	for line := range strings.Lines(text) {
		slug := spec.PhaseSlug(line)
		if slug == "" {
			continue
		}
		short := ""
		for word := range strings.SplitSeq(slug, "-") {
			if short != "" && len(short)+1+len(word) > maxSpecSlug {
				break
			}
			short = strings.TrimPrefix(short+"-"+word, "-")
		}
		return short
	}
	return ""
}
