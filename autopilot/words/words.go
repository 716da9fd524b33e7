// Package words writes values for people: a text on one line, the first few of a list, a duration, a commit. It knows nothing
// of what is said with them.
package words

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// OneLine makes one line of a text, without what a terminal acts on.
func OneLine(text string) string { return strings.Join(strings.Fields(Shown(text)), " ") }

// Folded breaks a text, as OneLine makes it, into lines of at most so many characters, longer words aside.
func Folded(text string, width int) string {
	var b strings.Builder
	at := 0
	for word := range strings.FieldsSeq(OneLine(text)) {
		n := utf8.RuneCountInString(word)
		switch {
		case at == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// FirstLine is a text up to its first line break, white space around it aside.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Shown is a text for a file that people read with cat: what a terminal would act on, instead of showing it, is a space.
func Shown(text string) string {
	return strings.Map(func(r rune) rune {
		if IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
}

// IsControl says whether a terminal does something at a character, instead of showing it.
func IsControl(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// FirstFew shortens a list for a message: the first n of it, and how many more there are.
func FirstFew(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(append([]string{}, list[:n]...), fmt.Sprintf("and %d more", len(list)-n))
}

// Seconds writes a number of seconds as people read a duration: 0:38, 1:31:24.
func Seconds(n float64) string { return Elapsed(time.Duration(n * float64(time.Second))) }

// Elapsed writes a duration in whole seconds that have passed: 0:07, 12:30, 3:05:00.
func Elapsed(d time.Duration) string {
	s := int(d.Seconds())
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// Took writes how many seconds something ran, with a tenth where they are few: 0.7 s, 0:38.
func Took(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.1f s", seconds)
	}
	return Seconds(seconds)
}

// Short writes a duration without the parts that are nothing: 10m, 12h.
func Short(d time.Duration) string {
	text := d.String()
	for _, part := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, part) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Commit is the beginning of a commit's id, as people read it.
func Commit(sha string) string { return sha[:min(len(sha), 8)] }

// Joined puts the parts that are not empty together.
func Joined(by string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, by)
}
