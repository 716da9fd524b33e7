// Package budget counts what may be spent: the bounds of a session, a phase and a task, what was used of them, and the limits
// that backends report.
//
// A call goes: Budgets lists those that a dispatch counts towards, Spent says which of them is used up, GuardSpending ends a
// dispatch at work once one is, and Patience waits until the limit of a backend is over. Whatever is reached is a
// *LimitError, and can be gone on from.
//
// It never dispatches anybody, and records nothing: what was used is the machine's state, or a run's own count.
package budget
