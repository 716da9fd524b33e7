package flow

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"

	"go.temporal.io/sdk/workflow"
)

// Size is how large an input is as it is sent: compressed, in bytes.
func Size(in Input) int {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(in); err != nil || z.Close() != nil {
		return 0 // the server will say what is wrong with it
	}
	return packed.Len()
}

// TooLarge says why an input of a size is not sent; "" where it is.
func TooLarge(size int) string {
	if size <= largest {
		return ""
	}
	return fmt.Sprintf("its state has %.1f MB, and Temporal allows 2 MB", float64(size)/1e6)
}

// sent is the size of an input. What a library makes of it is not for a replay to find out again.
func sent(ctx workflow.Context, in Input) (size int) {
	_ = workflow.SideEffect(ctx, func(workflow.Context) any { return Size(in) }).Get(&size) // it was just encoded
	return size
}
