package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// OwnRefs is the part of the refs that belongs to the program.
const OwnRefs = "refs/autopilot/"

// Refs lists, makes and moves the names of commits.
type Refs struct {
	*runner
	config *Config
}

// Ref is a name that points to an object.
type Ref struct {
	Name   string // in full, such as "refs/heads/main"
	Object string // the object's id
}

// List lists the refs below a prefix such as "refs/autopilot/csv", or of exactly that name, by name.
func (r *Refs) List(ctx context.Context, prefix string) ([]Ref, error) {
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

// Holding lists the refs below a prefix whose history has a commit, by name.
func (r *Refs) Holding(ctx context.Context, prefix, commit string) ([]string, error) {
	out, err := r.read(ctx, "for-each-ref", "--format=%(refname)", "--contains="+commit, "--", prefix)
	if err != nil {
		return nil, fmt.Errorf("looking which refs below %s have %.7s: %w", prefix, commit, err)
	}
	return split(out, '\n'), nil
}

// Delete deletes the refs below a prefix, which has to lie in refs/autopilot/, but for those of these commits.
func (r *Refs) Delete(ctx context.Context, prefix string, keep ...string) error {
	if !strings.HasPrefix(prefix, OwnRefs) {
		return fmt.Errorf("deleting refs: %s is not below %s", prefix, OwnRefs)
	}
	refs, err := r.List(ctx, prefix)
	if err != nil {
		return err
	}
	var batch RefBatch
	for _, ref := range refs {
		if !slices.Contains(keep, ref.Object) {
			batch.Remove(ref.Name)
		}
	}
	return r.Update(ctx, batch)
}

// RefBatch is a list of changes to refs that happen all or not at all.
type RefBatch []string

// Set has a ref, or HEAD, name an object.
func (b *RefBatch) Set(name, object string) { *b = append(*b, "update "+name+" "+object) }

// Remove deletes a ref.
func (b *RefBatch) Remove(name string) { *b = append(*b, "delete "+name) }

// Update makes the changes of a batch.
func (r *Refs) Update(ctx context.Context, batch RefBatch) error {
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

// free is the name itself, or the first of name-2, name-3 … that is not taken.
func (r *Refs) free(ctx context.Context, name string) (string, error) {
	if !strings.HasPrefix(name, OwnRefs) {
		return "", errors.New("saving: " + name + " is not below " + OwnRefs)
	}
	refs, err := r.List(ctx, name[:strings.LastIndexByte(name, '/')])
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

// Move moves a ref of the program's own (refs/autopilot/…) or a branch from one commit to another, where it still is
// at the first; from "" makes it. It says false when somebody else moved it.
func (r *Refs) Move(ctx context.Context, name, to, from string) (bool, error) {
	if from == "" {
		from = strings.Repeat("0", len(to))
	}
	_, err := r.write(ctx, nil, "update-ref", "--no-deref", name, to, from)
	if err == nil {
		return true, nil
	}
	refs, listErr := r.List(ctx, name)
	if listErr != nil || len(refs) == 0 || refs[0].Object == from {
		return false, fmt.Errorf("moving %s: %w", name, err)
	}
	return false, nil
}
