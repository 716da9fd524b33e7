// Package simulate is the command simulate: it plays a spec and its plans against scripted personas that misbehave, without
// a model, and says by what each was found out and how the run ended.
//
// Everything but the personas and the person is real: states, tools, checks, commits. All of it happens in a temporary clone;
// the user's repository is only read. A Run runs the spec there: the command that runs specs gives it. A stage knows the
// honest work of each dispatch, chaos.Cast plays it or misbehaves, a witness sees by what the program notices it, and judge
// lists the promises that a run broke.
//
//	root.AddCommand(simulate.New(host, run))
//
//	s, err := simulate.Prepare(ctx, host, run, "docs/spec.md", "") // for tests: one run of a profile of their own
//	outcome, err := s.Play(ctx, profile, seed, "a name")
package simulate
