// Package dispatch prepares what a persona is told: the brief that its prompt is made of, its environment, and the key under
// which its records lie.
//
// A call goes: the caller collects Facts that neither the state nor the repository has, Briefs.Write makes the brief of a step
// of them, personas.Render the prompt of that, and Environment the variables that an agent program finds. PurposeOf, KeyOf and
// FolderOf name the dispatch.
//
// It changes nothing, in the repository or in the session, and runs nobody.
package dispatch
