package git

import (
	"bytes"
	"context"
	"fmt"
)

// PutBrokenIndexBack makes the index what it was at Watch where git cannot read it any more, and says whether it did. All
// else that is asked of git fails before that.
func (r *Repo) PutBrokenIndexBack(ctx context.Context, g Guard) (bool, error) {
	now, err := r.loadIndex()
	if err != nil || !now.exists || g.Head == "" || r.isWhole(now.bytes) {
		return false, err
	}
	was, err := r.guardedIndex(g)
	if err != nil || was.exists && !r.isWhole(was.bytes) {
		return false, err
	}
	if err := r.patiently(ctx, func() error { return r.storeIndex(was) }); err != nil {
		return false, fmt.Errorf("putting the index back: %w", err)
	}
	return true, nil
}

// isWhole says whether an index begins as one does and ends with the sum of what it holds; with index.skipHash there are
// zeros in its place.
func (r *Repo) isWhole(index []byte) bool {
	sum := r.newHash()
	end := len(index) - sum.Size()
	if end < 12 || !bytes.HasPrefix(index, []byte("DIRC")) {
		return false
	}
	sum.Write(index[:end])
	return bytes.Equal(index[end:], sum.Sum(nil)) || bytes.Equal(index[end:], make([]byte, sum.Size()))
}
