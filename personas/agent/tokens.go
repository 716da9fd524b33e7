package agent

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"autopilot/personas"
)

// o200k are the models whose tokenizer is o200k_base, by the beginnings of their
// names, as OpenAI's own library tiktoken has them. The older one, of gpt-4 and
// gpt-3.5, would add as much again to the program; other providers publish none.
var o200k = []string{"gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4-mini", "gpt-oss"}

const (
	framing  = 4     // tokens of a message or a call besides its texts
	maxPiece = 4_000 // bytes that are counted at once: what has no blanks takes time by the square
	maxWord  = 1_000 // the same, of a line that is longer
)

// counter counts tokens with the model's own tokenizer. What was counted is
// remembered, as a conversation is measured again at each turn.
type counter struct {
	codec *codec.Codec // made at the first count: the vocabulary takes some 40 ms
	seed  maphash.Seed
	known map[uint64]int
}

// counterOf is the counter of a model by its name; nil: its tokenizer is not known.
func counterOf(model string) *counter {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	if !slices.ContainsFunc(o200k, func(name string) bool {
		return model == name || strings.HasPrefix(model, name+"-") || strings.HasPrefix(model, name+".")
	}) {
		return nil
	}
	return &counter{seed: maphash.MakeSeed(), known: map[uint64]int{}}
}

// messages counts a conversation.
func (c *counter) messages(messages []personas.Message) int {
	n := 0
	for _, m := range messages {
		n += framing + c.text(m.Content)
		for _, call := range m.Calls {
			n += framing + c.text(call.Name) + c.text(call.Arguments)
		}
	}
	return n
}

// text counts one text.
func (c *counter) text(text string) int {
	key := maphash.String(c.seed, text)
	if n, ok := c.known[key]; ok {
		return n
	}
	if c.codec == nil {
		c.codec = codec.NewO200kBase()
	}
	n := 0
	for rest := text; rest != ""; {
		size := pieceOf(rest)
		counted, err := c.codec.Count(rest[:size])
		if err != nil { // it does not say of which text it could not make anything
			counted = int(float64(size) * usualTokens)
		}
		n, rest = n+counted, rest[size:]
	}
	c.known[key] = n
	return n
}

// pieceOf is how much of a text is counted at once: whole lines where they are
// short.
func pieceOf(text string) int {
	if len(text) <= maxWord {
		return len(text)
	}
	if at := strings.LastIndexByte(text[:min(len(text), maxPiece)], '\n'); at >= 0 && at+1 >= maxWord {
		return at + 1
	}
	size := maxWord
	for size > maxWord-utf8.UTFMax && !utf8.RuneStart(text[size]) {
		size--
	}
	return size
}
