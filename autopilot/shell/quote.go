package shell

import "strings"

// Quote quotes a word for a shell.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// QuoteWord quotes a word for a shell where it needs it.
func QuoteWord(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+") == "" {
		return word
	}
	return Quote(word)
}

// QuotePath is QuoteWord for a file that a command is given: one whose name begins with a dash would be taken for a flag.
func QuotePath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return QuoteWord(path)
}
