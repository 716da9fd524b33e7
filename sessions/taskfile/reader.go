package taskfile

// reader takes over the members of one object. Most files have the keys in the order of the fields, so that the next one
// is looked for first.
type reader[T any] struct {
	fields fields[T]
	into   *T
	blank  T      // what into was before
	seen   uint64 // a bit for each field that was read
	next   int
}

func readerOf[T any](f fields[T], into *T) reader[T] {
	return reader[T]{fields: f, into: into, blank: *into}
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
	r.take(r.find(key), s.data[from:s.at])
	return nil
}

// take takes over the value of the field that was found last, nil for a key that is not known. Of a key that is there
// twice only the last value counts, as it is the one that stays when the list is written.
func (r *reader[T]) take(known *field[T], raw []byte) {
	if known == nil {
		return
	}
	bit := uint64(1) << (r.next - 1)
	if r.seen&bit != 0 {
		known.reset(r.into, r.blank)
	}
	r.seen |= bit
	known.read(r.into, raw)
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
		r.take(known, s.data[from:s.at])
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
		s, r := scanner{data: raw}, readerOf(f, v)
		_ = r.object(&s)
	}
}
