// Package roadmap reads docs/roadmap.md and raises the statuses of its features as their specs get done.
//
// ParseRoadmap finds the features in the syntax tree of a text: lists of fields below headings, and rows of tables, so that
// nothing in code, a comment or a quotation is taken for one. Rows returns those of
// a spec, Issue the issue that belongs to it, and Raise the text with new statuses, which is otherwise kept byte for
// byte.
//
// It never lowers a status, never adds a feature, and neither reads nor writes a file: the caller does.
package roadmap
