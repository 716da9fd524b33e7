package tasklist

// reader takes over the members of one object. Most files have the keys in the order of the fields, so that the next one
// is looked for first.
type reader[T any] struct {
	fields fields[T]
	into   *T
	next   int
}

func (r *reader[T]) find(key []byte) *field[T] {
	for range r.fields {
		if r.next == len(r.fields) {
			r.next = 0
		}
		known := r.fields[r.next]
		r.next++
		if known.key == string(key) {
			return known
		}
	}
	return nil
}

// member takes over the member whose value stands in front of the scanner.
func (r *reader[T]) member(s *scanner, key []byte) error {
	from := s.at
	if err := s.value(); err != nil {
		return err
	}
	if known := r.find(key); known != nil {
		known.read(r.into, s.data[from:s.at])
	}
	return nil
}

// object takes over the members of the object in front of the scanner, which checks it.
func (r *reader[T]) object(s *scanner) error {
	if err := s.enter('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := s.more('}', first)
		if !more || err != nil {
			return err
		}
		known, err := r.key(s)
		if err != nil {
			return err
		}
		from := s.at
		if err := s.value(); err != nil {
			return err
		}
		if known != nil {
			known.read(r.into, s.data[from:s.at])
		}
	}
}

// key passes over a key and its colon. The key that comes next in most files is compared as it is written.
func (r *reader[T]) key(s *scanner) (*field[T], error) {
	if r.next == len(r.fields) {
		r.next = 0
	}
	if known := r.fields[r.next]; s.begins(known.quoted) {
		r.next++
		s.at += len(known.quoted)
		return known, s.colon()
	}
	key, err := s.key()
	if err != nil {
		return nil, err
	}
	return r.find(unquoted(key)), nil
}

// readAll takes over an object of a checked document; anything else has nothing to take over.
func (f fields[T]) readAll(raw []byte, v *T) {
	if len(raw) > 0 && raw[0] == '{' {
		s, r := scanner{data: raw}, reader[T]{fields: f, into: v}
		_ = r.object(&s)
	}
}
