//go:build unix

package process

func shellProgram() string { return "sh" }

func samePathKey(key string) bool { return key == "PATH" }
