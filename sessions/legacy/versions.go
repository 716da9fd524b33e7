package legacy

import (
	"path"
	"strings"

	"autopilot/autopilot/lazyregexp"
	"autopilot/autopilot/machine"
	"autopilot/autopilot/words"
)

// toVersion2 adds the session's folder. A spec has a session of its own since then, where version 1 knew one file for
// the whole repository.
func (o *older) toVersion2() {
	o.readSpec()
	if o.slug == "" {
		o.slug = o.guessSlug()
	}
	if o.slug != "" {
		o.insist("sessionDir", path.Join(".harness/sessions", o.slug))
	}
}

// readSpec reads the spec that the file names, for what older files do not have of it.
func (o *older) readSpec() {
	named := text(o.doc["specPath"])
	if o.from.Spec == nil {
		return
	}
	var err error
	if o.spec, err = o.from.Spec(named); err != nil {
		o.say("its spec could not be read: %s", words.OneLine(err.Error()))
	}
	if o.spec.Path != "" {
		o.insist("specPath", o.spec.Path)
	}
}

// commitID is a commit's id, shortened or not.
var commitID = lazyregexp.New(`^[0-9a-fA-F]{4,64}$`)

// toVersion3 adds the commit that the session began at, the decisions, and the final review.
func (o *older) toVersion3() {
	if v := o.doc["startingCommit"]; v != nil && !commitID.MatchString(text(v)) && v != "" {
		o.aside(o.doc, "startingCommit", "")
	}
	if text(o.doc["startingCommit"]) == "" {
		o.findStart()
	}
	o.fill("decisions", []any{}, "none is known")
	o.fill("finalReview", map[string]any{"status": "pending", "findings": []any{}, "retryCount": 0}, "it is pending")
}

// findStart takes the commit where the branch left the default one for the session's first.
func (o *older) findStart() {
	delete(o.doc, "startingCommit")
	if o.from.StartingCommit == nil {
		o.fill("startingCommit", "", "it is looked for when the session is resumed")
		return
	}
	commit, err := o.from.StartingCommit()
	if err != nil || commit == "" {
		o.fill("startingCommit", "", "it is not known, so the next run begins at HEAD")
		return
	}
	o.fill("startingCommit", commit, "the merge base with the default branch is taken, "+commit)
}

// toVersion4 adds the wish to see every plan, which nobody had before.
func (o *older) toVersion4() {
	o.fill("reviewPlans", false, "false")
}

// toVersion5 adds the rigor. Sessions before it followed the standard method.
func (o *older) toVersion5() {
	was := text(o.doc["rigorLevel"])
	switch rigor := machine.Rigor(strings.ToLower(strings.TrimSpace(was))); rigor {
	case machine.Fast, machine.Standard, machine.Thorough:
		o.doc["rigorLevel"] = string(rigor)
		return
	}
	if o.doc["rigorLevel"] != nil {
		o.aside(o.doc, "rigorLevel", "")
	}
	o.fill("rigorLevel", string(machine.Standard), "standard")
}
