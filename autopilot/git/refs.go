package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ownRefs is the part of the refs that belongs to the program.
const ownRefs = "refs/autopilot/"

// Ref is a name that points to an object.
type Ref struct {
	Name   string // in full, such as "refs/heads/main"
	Object string // the object's id
}

// ListRefs lists the refs below a prefix such as "refs/autopilot/csv", or of exactly that name, by name.
func (r *Repo) ListRefs(ctx context.Context, prefix string) ([]Ref, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(objectname) %(refname)", "--", strings.TrimSuffix(prefix, "/"))
	if err != nil {
		return nil, fmt.Errorf("listing the refs below %s: %w", prefix, err)
	}
	var refs []Ref
	for _, line := range split(out, '\n') {
		object, name, _ := strings.Cut(line, " ")
		refs = append(refs, Ref{Name: name, Object: object})
	}
	return refs, nil
}

// DeleteRefs deletes the refs below a prefix, which has to lie in refs/autopilot/.
func (r *Repo) DeleteRefs(ctx context.Context, prefix string) error {
	if !strings.HasPrefix(prefix, ownRefs) {
		return fmt.Errorf("deleting refs: %s is not below %s", prefix, ownRefs)
	}
	refs, err := r.ListRefs(ctx, prefix)
	if err != nil {
		return err
	}
	var batch refBatch
	for _, ref := range refs {
		batch.remove(ref.Name)
	}
	return r.updateRefs(ctx, batch)
}

// refBatch is a list of changes to refs that happen all or not at all.
type refBatch []string

func (b *refBatch) set(name, object string) { *b = append(*b, "update "+name+" "+object) }
func (b *refBatch) remove(name string)      { *b = append(*b, "delete "+name) }

func (r *Repo) updateRefs(ctx context.Context, batch refBatch) error {
	if len(batch) == 0 {
		return nil
	}
	script := strings.Join(batch, "\n") + "\n"
	_, err := r.write(ctx, []byte(script), "update-ref", "--no-deref", "--stdin")
	if err != nil {
		return fmt.Errorf("moving refs: %w", err)
	}
	return nil
}

// freeRef is the name itself, or the first of name-2, name-3 … that is not taken.
func (r *Repo) freeRef(ctx context.Context, name string) (string, error) {
	if !strings.HasPrefix(name, ownRefs) {
		return "", errors.New("saving: " + name + " is not below " + ownRefs)
	}
	refs, err := r.ListRefs(ctx, name[:strings.LastIndexByte(name, '/')])
	if err != nil {
		return "", err
	}
	return firstFree(name, refs), nil
}

// firstFree adds -2, -3 … to a name until no ref has it, or lies below it.
func firstFree(name string, refs []Ref) string {
	free := name
	for n := 2; slices.ContainsFunc(refs, func(ref Ref) bool {
		return ref.Name == free || strings.HasPrefix(ref.Name, free+"/")
	}); n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}
