// Package refs guards where the repository stands while somebody else is at work in it: branches, tags and the stash, HEAD, the
// index, a merge that was left unfinished. It tells what an agent did to them from what people did meanwhile in another working
// tree, as far as the logs show it, and puts the agent's back; what was there is kept. It never changes a file of the working
// tree, and what steers git is package steering's.
//
//	guards := refs.Of(repo)
//	was, err := guards.Watch(ctx, "refs/autopilot/csv/", saved.All()) // before the dispatch
//	deviation, err := guards.Compare(ctx, was)                        // after it
//	err = guards.PutBack(ctx, was, deviation, "refs/autopilot/csv/undone/1")
package refs
