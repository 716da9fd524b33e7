package flow

import (
	"compress/zlib"
	"encoding/json"

	"go.temporal.io/sdk/workflow"
)

// sent is how large an input is as it is sent: compressed. What a library makes of it is not for a replay to find out again.
func sent(ctx workflow.Context, in Input) (size int) {
	measured := workflow.SideEffect(ctx, func(workflow.Context) any {
		var c count
		z := zlib.NewWriter(&c)
		if err := json.NewEncoder(z).Encode(in); err != nil || z.Close() != nil {
			return 0 // the server will say what is wrong with it
		}
		return int(c)
	})
	_ = measured.Get(&size) // it was just encoded
	return size
}

// count counts what is written to it.
type count int

func (c *count) Write(p []byte) (int, error) {
	*c += count(len(p))
	return len(p), nil
}
