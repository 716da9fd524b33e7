package openai

import "errors"

// maxAnswer bounds what is held of an answer, in bytes: its texts, thoughts and calls together, and as it comes over the wire
// a line, or all that is no event of a stream. The longest answers that models give are of 128,000 tokens (by OpenAI's and
// Anthropic's pages on their models), which is about half a megabyte: what is four times as long does not come from a model
// that answers, and must not fill the memory.
const maxAnswer = 2 << 20

// errTooLong is an answer of more than maxAnswer.
var errTooLong = errors.New("the answer is longer than 2 MB, which is more than any model says")

// onesOwn is about what each call takes beside its texts, in bytes: without it a server could begin calls without end.
const onesOwn = 100

// size is how much of an answer there is so far, in bytes.
func (p *pieces) size() int { return p.text.Len() + p.thoughts.Len() + p.inCalls }
