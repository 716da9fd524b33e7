package chaos

import (
	"context"
	"slices"

	"autopilot/personas"
)

// wrongReply is a reply that is none.
type wrongReply struct {
	name, arguments string
	mended          bool // the second one is good
}

var wrongReplies = []wrongReply{
	{"no JSON", `{"v": 1, "status": "done", `, false},
	{"a status that nobody knows", `{"v": 1, "status": "mostly", "summary": "Nearly there."}`, false},
	{"a version to come", `{"v": 99, "status": "done", "summary": "From the future."}`, false},
	{"lists that are texts", `{"v": 1, "status": "done", "summary": "Good.", "findings": "none", "criteria": "all"}`, false},
	{"nothing in it", `{}`, false},
	{"an array", `[{"v": 1, "status": "done", "summary": "Good."}]`, false},
	{"wrong first, then right", `{"v": 1, "status": "mostly", "summary": "Nearly there."}`, true},
}

func wrongNames() []string {
	names := make([]string, len(wrongReplies))
	for i, w := range wrongReplies {
		names[i] = w.name
	}
	return names
}

func wronging(m *Model) turn {
	honest := working(m)
	w := wrongReplies[slices.Index(wrongNames(), m.part.Form)]
	return func(ctx context.Context) (personas.Message, error) {
		if w.mended && m.turns > 1 {
			return honest(ctx)
		}
		return m.calls(personas.Call{Name: "submit_reply", Arguments: w.arguments}), nil
	}
}
