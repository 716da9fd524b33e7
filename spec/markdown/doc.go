// Package markdown reads what specs and plans have in common: a Markdown document with its blocks, headings, lists,
// comments, and labels such as "Phase 2: Name".
//
// Read gives the Document of a file, or a *ParseError with the line where it cannot be read; Titled, HeadingEntry and Items
// find their way in it, Plain and Raw give its text. Offsets are bytes of Src, which has the lines of the file.
//
// Reading is bounded: what costs too much to read is refused, since Markdown can be written that takes hours. The package
// does not know what a phase or a task is, beyond the words that label one, and neither reads nor writes a file.
package markdown
