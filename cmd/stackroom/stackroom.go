// Package stackroom has a goroutine's stack grow at once to what will be needed. Else it doubles step by step, and at each
// step is copied frame by frame, with what is known of every frame looked up in the program's file: a twentieth of the time
// that the program's start takes.
package stackroom

// Sizes with some room above what was measured. A stack of the next power of two is taken, and only what is used of it
// takes memory.
const (
	forStart   = 300 << 10 // goldmark's longest pattern takes 260 KB when it is compiled
	forCommand = 40 << 10
)

// ForStart makes room for all that packages do before main begins.
func ForStart() { start(false) }

// ForCommand makes room for a command that reads a session.
func ForCommand() { command(false) }

// Only the size of the frame counts, which Go looks at when the function is entered: the bytes are never touched.
//
//go:noinline
func start(used bool) {
	if used {
		var one, two, three [forStart / 3]byte // a longer one would be put on the heap
		touch(one[:])
		touch(two[:])
		touch(three[:])
	}
}

//go:noinline
func command(used bool) {
	if used {
		var bytes [forCommand]byte
		touch(bytes[:])
	}
}

//go:noinline
func touch(bytes []byte) { bytes[0]++ }
