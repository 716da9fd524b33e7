package payload

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"os"
	"strings"
)

// Keys are the keys of a key file: a line for each, with an id and base64 of 32 bytes. The first key encrypts, and all of them
// decrypt. To rotate, put a new key first, and stop all workers before you start the first with it: those with the old file can't
// decrypt what the new key encrypts. The zero value has no keys.
type Keys struct {
	list []*key
}

// key keeps what it is made of behind pointers and functions, so that no format prints it.
type key struct {
	id   string
	aead cipher.AEAD
	mac  func() hash.Hash // for HashSlug
}

const (
	keySize  = 32 // bytes, for AES-256
	makeKey  = "Make a line with:\n  echo \"2026-a $(openssl rand -base64 32)\""
	makeKeys = "Make two lines, so that you can rotate the first:\n  for id in 2026-a names; do echo \"$id $(openssl rand -base64 32)\"; done"
)

// ReadKeys reads a key file.
func ReadKeys(path string) (Keys, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Keys{}, fmt.Errorf("can't read the key file: %w", err)
	}
	return ParseKeys(string(text))
}

// ParseKeys reads the text of a key file, which may come from an environment variable. It skips blank lines.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for i, line := range strings.Split(text, "\n") {
		if err := keys.add(strings.Fields(line)); err != nil {
			return Keys{}, fmt.Errorf("line %d of the key file: %w", i+1, err)
		}
	}
	if len(keys.list) == 0 {
		return Keys{}, errors.New("the key file has no keys. " + makeKeys)
	}
	return keys, nil
}

// add appends the key of a line. Its errors quote nothing of a bad line, where the key may be in place of the id.
func (k *Keys) add(fields []string) error {
	if len(fields) == 0 {
		return nil
	}
	secret, err := base64.StdEncoding.DecodeString(fields[len(fields)-1])
	switch {
	case len(fields) != 2:
		return errors.New("want an id and a key, with one space between. " + makeKey)
	case err != nil:
		return fmt.Errorf("the key isn't base64: %w. %s", err, makeKey)
	case len(secret) != keySize:
		return fmt.Errorf("the key has %d bytes, not %d. %s", len(secret), keySize, makeKey)
	case k.find(fields[0]) != nil:
		return fmt.Errorf("the id %q is already used above. Give the newer key another id", fields[0])
	}
	one, err := newKey(fields[0], secret)
	k.list = append(k.list, one)
	return err
}

// newKey derives another key for slugs: no key should serve two purposes.
func newKey(id string, secret []byte) (*key, error) {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	aead, sealing := cipher.NewGCMWithRandomNonce(block)
	slug, deriving := hkdf.Key(sha256.New, secret, nil, "autopilot slug", keySize)
	return &key{id, aead, func() hash.Hash { return hmac.New(sha256.New, slug) }}, errors.Join(sealing, deriving)
}

// find returns the key with an id, or nil.
func (k *Keys) find(id string) *key {
	for _, one := range k.list {
		if one.id == id {
			return one
		}
	}
	return nil
}
