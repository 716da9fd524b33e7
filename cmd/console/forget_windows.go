package console

import "golang.org/x/sys/windows"

// forgetTyped throws away what was typed at a console and not read yet.
func forgetTyped(fd int) error { return windows.FlushConsoleInputBuffer(windows.Handle(fd)) }
