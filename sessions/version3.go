package sessions

import (
	"autopilot/autopilot/lazyregexp"
)

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
	if o.opts.StartingCommit == nil {
		o.fill("startingCommit", "", "it is looked for when the session is resumed")
		return
	}
	commit, err := o.opts.StartingCommit()
	if err != nil || commit == "" {
		o.fill("startingCommit", "", "it is not known, so the next run begins at HEAD")
		return
	}
	o.fill("startingCommit", commit, "the merge base with the default branch is taken, "+commit)
}
