package sessions

import (
	"path"

	"autopilot/sessions/storage"
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
	if o.opts.Spec == nil {
		return
	}
	var err error
	if o.spec, err = o.opts.Spec(named); err != nil {
		o.say("its spec could not be read: %s", storage.Fold(err.Error()))
	}
	if o.spec.Path != "" {
		o.insist("specPath", o.spec.Path)
	}
}
