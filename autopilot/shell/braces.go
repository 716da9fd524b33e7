package shell

import "strings"

// braced gives the words that the shell makes of those with braces: a{b,c} is ab and ac.
func braced(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, unbraced(w)...)
	}
	return out
}

func unbraced(word string) []string {
	if strings.ContainsAny(word, " \t\n") {
		return []string{word}
	}
	for begin := range word {
		if word[begin] != '{' || begin > 0 && word[begin-1] == '$' {
			continue
		}
		parts, end := choices(word[begin+1:])
		if len(parts) < 2 {
			continue
		}
		var out []string
		for _, part := range parts {
			out = append(out, unbraced(word[:begin]+part+word[begin+1+end:])...)
			if len(out) > maxExpanded {
				break
			}
		}
		return out
	}
	return []string{word}
}

// choices are the parts between commas up to the brace that closes, and where the text behind it begins; none where no
// brace does.
func choices(text string) (parts []string, end int) {
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '{':
			depth++
		case text[i] == '}' && depth == 0:
			return append(parts, text[from:i]), i + 1
		case text[i] == '}':
			depth--
		case text[i] == ',' && depth == 0:
			parts, from = append(parts, text[from:i]), i+1
		}
	}
	return nil, 0
}
