//go:build unix

package process

func shellProgram() string { return "sh" }

func bashProgram() string { return "bash" }

func samePathKey(key string) bool { return key == "PATH" }
