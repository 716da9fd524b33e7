// Package form asks a question at a person's terminal as a form: what it is about, the options with what each does, and keys for
// what helps to answer. It has the terminal's other screen, and gives the first one back as it was.
//
// Nothing that is typed before it, or in its first half second, counts. It decides nothing: what it returns is an answer as any
// other mouth gives it, which the gate takes or refuses.
//
//	answer, err := form.Ask(ctx, options, session)
package form
