//go:build !windows

package live

// consoleUTF8 says whether a Windows console shows UTF-8; known is false elsewhere.
func consoleUTF8() (known, utf8 bool) { return false, false }

// drawsRegion has a terminal understand what a region is drawn with.
func drawsRegion() bool { return true }
