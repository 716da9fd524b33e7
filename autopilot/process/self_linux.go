package process

// selfProgram is the running program even when its file was replaced meanwhile.
func selfProgram() string { return "/proc/self/exe" }
