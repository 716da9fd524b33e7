package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Keep leaves in the entry as much of its rationale as a state keeps, in whole sentences where it has some, with where the whole is.
func (e *Entry) Keep(in string) {
	kept := Beginning(e.Rationale)
	if kept == e.Rationale {
		return
	}
	if end := max(strings.LastIndex(kept, ". "), strings.LastIndex(kept, "\n")); end >= maxKept/2 {
		kept = strings.TrimSpace(kept[:end+1]) + " …"
	}
	sum := sha256.Sum256([]byte(e.Rationale))
	e.Rationale, e.Whole = kept, Whole{SHA256: hex.EncodeToString(sum[:]), In: in}
}

// Shorten leaves out of the closed entries why they were raised: the journal has it. Id, title and fate stay, and what tells the
// same cause.
func (r Register) Shorten() Register {
	next := slices.Clone(r)
	for i := range next {
		if e := &next[i]; e.Fate != FateOpen {
			e.Rationale, e.Whole, e.Reason = "", Whole{}, Beginning(e.Reason)
		}
	}
	return next
}

// Drawn are the findings of a phase, or with 0 of the final review, as files and views show them: each of the list that was found
// last as the register has it, then what else was raised there and is closed, or of a task. An older program showed that list.
func (s State) Drawn(phase int, last []Finding) (drawn Register) {
	if s.Edition < 2 {
		for _, f := range last {
			drawn = append(drawn, Entry{Finding: f})
		}
		return drawn
	}
	for _, f := range last {
		if _, twice := drawn.Of(f); twice {
			continue
		}
		e, known := s.Register.Of(f)
		if !known {
			e.Finding = f
		}
		e.Overridden = f.Overridden
		drawn = append(drawn, e)
	}
	for _, e := range s.Register {
		if e.Phase == phase && !HasCause(last, e.Finding) {
			e.Overridden = e.Fate == FateWaived
			drawn = append(drawn, e)
		}
	}
	return drawn
}

// ReviewedShown is the final review with its findings drawn from the register.
type ReviewedShown struct {
	FinalReviewed
	Findings Register `json:"findings"`
}

// FinalReviewShown is what final-review.json, final.json and views say of the final review.
func (s State) FinalReviewShown() ReviewedShown {
	return ReviewedShown{s.FinalReview, append(Register{}, s.Drawn(0, s.FinalReview.Findings)...)}
}
