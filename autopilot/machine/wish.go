package machine

// Wish is what a person wants of a live run, beside the answers to its questions.
type Wish string

// The wishes.
const (
	WishStop  Wish = "stop"  // end at the next step
	WishPause Wish = "pause" // ask before the next dispatch
)
