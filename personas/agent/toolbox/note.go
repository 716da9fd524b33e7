package toolbox

import (
	"context"
	"errors"
	"strings"
)

type noteArgs struct {
	Text string `json:"text"`
}

// stepNote is for people who follow the work, and for whoever goes on with it:
// notes outlive a compaction and stand in a hand-over.
func (b *Box) stepNote() Tool {
	const most = 500 // bytes
	return define("step_note", "Say which step is done or next.",
		schema("", "text:string"),
		func(_ context.Context, a noteArgs) (string, error) {
			text := strings.Join(strings.Fields(a.Text), " ")
			if text == "" {
				return "", errors.New("text is missing")
			}
			text = Cut(b.Mask, b.Mask.Replace(text), most)
			b.Notes = append(b.Notes, text)
			if b.Dispatch.OnEvent != nil {
				b.Dispatch.OnEvent("notice", "step: "+text)
			}
			return "noted", nil
		})
}
