// Package dispatch prepares attempts of personas, alike for a run, its lanes, task lists and drafts: the prompt, the environment,
// and the records that an attempt leaves.
//
// A call goes: the caller collects Facts that neither the state nor the repository has, Briefs.Write makes the brief of a step
// of them, and Dispatcher.Prepare the order for a backend, whose prompt it keeps. Dispatcher.Open makes the folder that the
// agent may write to; once the backend is done, Keep keeps its reply. GoOn and Refused say what a limit, or credentials that
// were refused, mean for the caller. PurposeOf, KeyOf and FolderOf name the dispatch of a step.
//
// It looks at no budget, changes nothing in the repository, and does not judge what came back.
package dispatch
