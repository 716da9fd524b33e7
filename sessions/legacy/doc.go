// Package legacy reads the state that an older program, or another one of its kind, wrote.
//
// A call goes: Import takes the bytes of a file without a journal and gives the first event of the session's journal, what of
// the file the present state has no place for, and in plain words what was mended. Each schema version has a migration, and
// each fills in what is missing by itself, whatever version a file names. It writes nothing, and changes no file.
package legacy
