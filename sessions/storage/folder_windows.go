package storage

// RenameWhileOpen says that a folder with an open file in it can be renamed.
const RenameWhileOpen = false

// syncFolder does nothing: Windows has no fsync of folders, and journals renames itself.
func syncFolder(string) error { return nil }
