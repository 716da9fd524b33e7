package personas

import (
	"fmt"
	"reflect"
	"strings"
)

const (
	// maxQuoted is how much of a value stands in a message about it, in characters.
	maxQuoted = 80
	// maxProblems is how many problems of a reply are named: who mends these finds the others.
	maxProblems = 20
	// maxListed is how many entries a list of a reply may have. More are refused: leaving some out could leave out the worst.
	maxListed = 200
	// maxChecks is how many checks of a blind reading are taken.
	maxChecks = 20
	// maxReplyText is how much is taken of a text of a reply, in bytes. It stands in the state, in questions and in prompts.
	maxReplyText = 8_000
)

// quoted is a value as far as a message shows it.
func quoted[T ~string](value T) string { return fmt.Sprintf("%q", clipped(string(value))) }

// clipped is the beginning of a value, of words whole ones where that leaves most of it.
func clipped(value string) string {
	n := 0
	for at := range value {
		if n++; n > maxQuoted {
			value = strings.ToValidUTF8(value[:at], "\uFFFD")
			if space := strings.LastIndexByte(value, ' '); space > maxQuoted/2 {
				value = value[:space]
			}
			return value + "…"
		}
	}
	return value
}

// first are the entries of a list that are looked at.
func first[T any](list []T) []T { return list[:min(len(list), maxListed)] }

// shortenTexts keeps of each text of a reply what is taken, and says where it was more. It comes after the mask, which would
// not know half of a secret.
func shortenTexts(v reflect.Value) {
	everyText(v, func(text string) string {
		if len(text) <= maxReplyText {
			return text
		}
		mark := fmt.Sprintf("… (shortened; it had %d bytes)", len(text))
		return strings.ToValidUTF8(text[:maxReplyText-len(mark)], "") + mark
	})
}

// everyText puts another in the place of every text of a value.
func everyText(v reflect.Value, other func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(other(v.String()))
	case reflect.Slice:
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(copied, v)
		if !v.IsNil() {
			v.Set(copied)
		}
		for i := range v.Len() {
			everyText(v.Index(i), other)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			everyText(field, other)
		}
	default: // numbers and truths
	}
}
