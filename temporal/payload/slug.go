package payload

import "encoding/hex"

// HashSlug returns what replaces a slug in a search attribute, which Temporal can't encrypt: the first 16 hex digits of its
// HMAC-SHA256, or the slug itself where there are no keys.
//
// The last key makes the hash. New keys go first, so a rotation changes no hash, and clients with the old file still find sessions.
// When you drop an old key, keep the last line: without it, sessions that started before aren't found by their slug.
func HashSlug(keys Keys, slug string) string {
	if len(keys.list) == 0 {
		return slug
	}
	mac := keys.list[len(keys.list)-1].mac()
	mac.Write([]byte(slug))
	return hex.EncodeToString(mac.Sum(nil))[:16]
}
