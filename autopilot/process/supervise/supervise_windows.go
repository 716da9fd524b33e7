package supervise

// Supervise does nothing on Windows: a job object ends the tree when the caller
// dies, so there is no supervisor to be.
func Supervise() (code int, was bool) { return 0, false }
