package cmd

import (
	"strings"
	"testing"

	"autopilot/autopilot/machine"
	"autopilot/temporal/payload"
)

// began is what a workflow knows from its beginning, besides settings.
type began struct {
	rigor      machine.Rigor
	reviews    bool
	retries    int
	yes        bool
	capability string
}

func TestASessionBeginsAsItWasSubmitted(t *testing.T) {
	for name, c := range map[string]struct {
		args, file string
		want       began
	}{
		"with nothing said": {want: began{rigor: machine.Standard, retries: 3}},
		"fast":              {args: "--fast", want: began{rigor: machine.Fast, retries: 3}},
		"thorough":          {args: "--thorough --yes", want: began{rigor: machine.Thorough, retries: 3, yes: true}},
		"as configured":     {file: "{rigor: thorough, review_plans: true, retries: 1}", want: began{rigor: machine.Thorough, reviews: true, retries: 1}},
		"not as configured": {args: "--fast", file: "{rigor: thorough}", want: began{rigor: machine.Fast, retries: 3}},
		"for some workers":  {args: "--review-plans --capability gpu", want: began{rigor: machine.Standard, reviews: true, retries: 3, capability: "gpu"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMine(t)
			put(t, userFile(), c.file)
			m.write("work.txt", "stays here")
			m.submits(strings.Fields(c.args)...)
			in := m.input(payload.Converter(payload.Keys{}))
			got := began{in.First.RigorLevel, in.First.ReviewPlans, in.First.RetryBudget.MaxAttempts, in.Job.Yes, in.Job.Capability}
			if got != c.want {
				t.Errorf("it begins with %+v, not %+v", got, c.want)
			}
			if in.First.StartingCommit != m.git("rev-parse HEAD") || in.Job.From != "main" || len(in.First.LeftOut) > 0 {
				t.Errorf("it begins on %s at %s, without %q", in.Job.From, in.First.StartingCommit, in.First.LeftOut)
			}
		})
	}
}
