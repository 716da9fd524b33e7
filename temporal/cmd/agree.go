package cmd

import (
	"context"
	"fmt"

	"autopilot/cmd/app"
	"autopilot/sessions"
)

// agree has the person decide about what files of the repository run and reach, before anything is pushed. Workers hold to it.
func (o *submitOptions) agree(ctx context.Context, r *remote, list []app.TrustEntry) (hashes []string, err error) {
	var grant app.Grant
	if s, _, err := sessions.Read(r.place.Session, r.place.SessionOptions(ctx)); err == nil && o.fromSession {
		grant = r.place.Granted(s)
	}
	remarks, err := o.flags.AskTrustOf(ctx, r.place.Repo, grant, list)
	for _, line := range remarks {
		fmt.Fprintln(o.Err, line)
	}
	for _, e := range list {
		hashes = append(hashes, e.Hash())
	}
	return hashes, err
}
