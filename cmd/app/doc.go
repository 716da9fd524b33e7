// Package app finds what a command works with: the repository and the spec's session in it, the working tree, the
// configuration, and the backend of each persona by its name in the configuration or among the presets.
//
// It prints nothing and decides nothing of a run. Before anything runs or is reached because a file of the repository says so,
// RunFlags.AskTrust asks, and remembers the yes: TrustList is what it asks about, TrustFile where the answers are,
// TrustAnywhere what of the list other machines have alike.
//
//	w, err := app.FindWorkspace(ctx, host, "docs/spec.md", git.Open)
//	cfg, report, err := app.LoadConfig(host, w.Repo.Root(), "", nil)
package app
