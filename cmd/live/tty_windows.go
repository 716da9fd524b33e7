package live

import (
	"os"

	"golang.org/x/sys/windows"

	"autopilot/cmd/console"
)

// singleKeys has a console hand over each key at once and unseen. Ctrl-C stays what it is.
func singleKeys(terminal *os.File) (restore func() error, err error) {
	handle := windows.Handle(terminal.Fd())
	var before uint32
	if err := windows.GetConsoleMode(handle, &before); err != nil {
		return nil, err
	}
	keys := before &^ (windows.ENABLE_LINE_INPUT | windows.ENABLE_ECHO_INPUT)
	return func() error { return windows.SetConsoleMode(handle, before) }, windows.SetConsoleMode(handle, keys)
}

// inForeground says whether the terminal is this process's to draw on.
func inForeground(*console.Host) bool { return true }

// notices are none on Windows: the size is looked at once a second, and Ctrl-Z is a key.
func notices(chan<- os.Signal) (resized <-chan os.Signal, forget func()) { return nil, func() {} }

func (l *Live) suspend() {}

const codePageUTF8 = 65001

// consoleUTF8 says whether the console shows UTF-8.
func consoleUTF8() (known, utf8 bool) {
	page, err := windows.GetConsoleOutputCP()
	return err == nil && page != 0, page == codePageUTF8
}

// drawsRegion has the console understand what a region is drawn with; an old one does not.
func drawsRegion() bool {
	handle := windows.Handle(os.Stderr.Fd())
	var mode uint32
	if windows.GetConsoleMode(handle, &mode) != nil {
		return true // a terminal of another kind
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
