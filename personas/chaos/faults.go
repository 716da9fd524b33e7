package chaos

import (
	"context"
	"time"

	"autopilot/personas"
	"autopilot/personas/limits"
)

// beat is the pause between two pieces of a stream that never ends.
const beat = 5 * time.Millisecond

func lying(_ context.Context, m *Model) (personas.Message, error) {
	said := m.part.work.Reply
	said.Summary = "Everything is done, and all tests pass."
	if said.PlanPath != "" {
		said.PlanPath = "docs/plans/a-plan-that-nobody-wrote.md"
	}
	return m.calls(submitted(said))
}

func stalling(ctx context.Context, _ *Model) (personas.Message, error) {
	<-ctx.Done()
	return personas.Message{}, ctx.Err()
}

// failing ends as a model does that fails with an error.
func failing(err error) turn {
	return func(context.Context, *Model) (personas.Message, error) { return personas.Message{}, err }
}

var (
	crash    = failing(&personas.EndError{Kind: personas.Crashed, Detail: "the agent ended with exit code 139"})
	overflow = failing(&personas.OverflowError{Detail: "This model's maximum context length is 8192 tokens"})
)

func talking(context.Context, *Model) (personas.Message, error) {
	return personas.Message{Role: personas.RoleAssistant, Content: "I will begin with the first task now."}, nil
}

func looping(_ context.Context, m *Model) (personas.Message, error) {
	return m.calls(call("list_files", map[string]string{"glob": "docs/*"}))
}

// dripping gives a sign of life all the time, and never an answer.
func dripping(ctx context.Context, _ *Model) (personas.Message, error) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return personas.Message{}, ctx.Err()
		case <-tick.C:
			personas.Beat(ctx)
		}
	}
}

// oscillating is the review after which nothing is ever right.
func oscillating(_ context.Context, m *Model) (personas.Message, error) {
	wish := personas.Finding{Severity: personas.Critical, Title: "The names have to be long", Rationale: "Short names say nothing."}
	if m.part.nth%2 == 0 {
		wish = personas.Finding{Severity: personas.Critical, Title: "The names have to be short", Rationale: "Long names hide what happens."}
	}
	if earlier := m.part.work.Earlier; len(earlier) > 0 {
		wish.File = earlier[0]
	}
	said := m.part.work.Reply
	said.Findings = append(said.Findings, wish)
	return m.calls(submitted(said))
}

// wrongReplies are replies that are none.
var wrongReplies = []Form{
	{Name: "no JSON", says: submitting(`{"v": 1, "status": "done", `)},
	{Name: "a status that nobody knows", says: submitting(`{"v": 1, "status": "mostly", "summary": "Nearly there."}`)},
	{Name: "a version to come", says: submitting(`{"v": 99, "status": "done", "summary": "From the future."}`)},
	{Name: "lists that are texts", says: submitting(`{"v": 1, "status": "done", "summary": "Good.", "findings": "none", "criteria": "all"}`)},
	{Name: "nothing in it", says: submitting(`{}`)},
	{Name: "an array", says: submitting(`[{"v": 1, "status": "done", "summary": "Good."}]`)},
	{Name: "wrong first, then right", says: once(submitting(`{"v": 1, "status": "mostly", "summary": "Nearly there."}`))},
}

func submitting(reply string) turn {
	return func(_ context.Context, m *Model) (personas.Message, error) {
		return m.calls(personas.Call{Name: "submit_reply", Arguments: reply})
	}
}

// limitTexts are what providers say, each in a form of its own; they are read as a server's answer is.
var limitTexts = []Form{
	{Name: "for seconds", says: limiting(`429 Rate limit reached for model m in organization o on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.`)},
	{Name: "for hours", says: limiting(`Rate limit exceeded. Try again in 3 hours.`)},
	{Name: "without an end", says: limiting(`Too many requests, please try again later.`)},
	{Name: "for days", says: limiting(`You have reached your weekly limit, resets in 3 days`)},
	{Name: "used up", says: limiting(`{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota"}}`)},
}

// limiting ends as a model does whose server says the text. Words in which no limit is seen end in a crash.
func limiting(text string) turn {
	return func(_ context.Context, m *Model) (personas.Message, error) {
		limit, is := limits.LimitIn(text, m.now())
		if !is {
			return personas.Message{}, &personas.EndError{Kind: personas.Crashed, Detail: text}
		}
		return personas.Message{}, &personas.LimitError{Until: limit.Until, UsedUp: limit.Kind == limits.LimitUsedUp, Detail: text}
	}
}
