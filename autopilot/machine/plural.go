package machine

import "strconv"

// Plural counts things in words for people: "1 task", "2 tasks".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
