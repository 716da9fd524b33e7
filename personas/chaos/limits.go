package chaos

import (
	"context"
	"slices"

	"autopilot/personas"
	"autopilot/personas/limits"
)

// limitTexts are what providers say, each in a form of its own; they are read as a server's answer is.
var limitTexts = []struct{ name, text string }{
	{"for seconds", `429 Rate limit reached for model m in organization o on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.`},
	{"for hours", `Rate limit exceeded. Try again in 3 hours.`},
	{"without an end", `Too many requests, please try again later.`},
	{"for days", `You have reached your weekly limit, resets in 3 days`},
	{"used up", `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota"}}`},
}

func limitNames() []string {
	names := make([]string, len(limitTexts))
	for i, l := range limitTexts {
		names[i] = l.name
	}
	return names
}

// limiting ends as a model does whose server says the text. Words in which no limit is seen end in a crash.
func limiting(m *Model) turn {
	text := limitTexts[slices.Index(limitNames(), m.part.Form)].text
	return func(context.Context) (personas.Message, error) {
		limit, is := limits.LimitIn(text, m.now())
		if !is {
			return personas.Message{}, &personas.EndError{Kind: personas.Crashed, Detail: text}
		}
		return personas.Message{}, &personas.LimitError{Until: limit.Until, UsedUp: limit.Kind == limits.LimitUsedUp, Detail: text}
	}
}
