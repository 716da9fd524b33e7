package config

import "strings"

// Nearest gives the candidate that a misspelt name most likely means, "" where
// none is close. Case, '_' and '-' do not count, so that maxTokens finds
// max_tokens; the first of equally near ones wins.
func Nearest(name string, candidates []string) string {
	name = plain(name)
	best, least := "", 3
	for _, c := range candidates {
		d := distance(name, plain(c))
		if d == 2 && (len(name) < 4 || !strings.HasPrefix(plain(c), name[:1])) {
			continue // web is not why, and clean not plan
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

func plain(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour that lead from a to b.
func distance(a, b string) int {
	// A key is short. What is much longer than any of them is not near one,
	// and must not cost time by the square of its length.
	if len(a) > 100 || len(b) > 100 {
		return len(a) + len(b)
	}
	var older []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, last = last, row
	}
	return last[len(b)]
}
