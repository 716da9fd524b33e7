package payload

import (
	"bytes"
	"strings"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"
)

func TestAnOldPayloadIsDecryptedAfterARotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPayload(t)
		old, rotated := keysOf(t, "2026-a"), keysOf(t, "2026-b", "2026-a")
		before, after := encode(t, old, p), encode(t, rotated, p)
		if got, err := codec(rotated).Decode(append(before, after...)); err != nil || !same(got, []*commonpb.Payload{p, p}) {
			t.Fatalf("got %v: %v", got, err)
		}
		if a, b := string(before[0].Metadata[keyID]), string(after[0].Metadata[keyID]); a != "2026-a" || b != "2026-b" {
			t.Fatalf("encrypted with %s, and then with %s", a, b)
		}
	})
}

func TestPayloadsFromBeforeTheFirstKeyAreStillDecoded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPayload(t)
		if got, err := codec(keysOf(t, "a")).Decode(encode(t, Keys{}, p)); err != nil || !same(got, []*commonpb.Payload{p}) {
			t.Fatalf("got %v: %v", got, err)
		}
	})
}

func TestWithoutItsKeyNothingIsDecrypted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SampledFrom([]Keys{{}, keysOf(t, "2026-b"), keysOf(t, "2026-b", "2026-c")}).Draw(t, "keys")
		encoded := encode(t, keysOf(t, "2026-a"), drawPayload(t))
		got, err := codec(keys).Decode(encoded)
		if err == nil || !strings.Contains(err.Error(), `payload was encrypted with key "2026-a", which isn't in the key file`) || got != nil {
			t.Fatalf("got %v: %v", got, err)
		}
		encoded[0].Metadata[keyID] = []byte("2026-b") // to claim another key doesn't help
		if got, err := codec(keysOf(t, "2026-b")).Decode(encoded); err == nil || got != nil {
			t.Fatalf("with the wrong key, got %v", got)
		}
	})
}

func TestATamperedPayloadIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := keysOf(t, "a")
		encoded := encode(t, keys, drawPayload(t))
		data := encoded[0].Data
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "cut") {
			encoded[0].Data = data[:at]
		} else {
			data[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		}
		if got, err := codec(keys).Decode(encoded); err == nil || !strings.Contains(err.Error(), "payload was changed") || got != nil {
			t.Fatalf("got %v: %v", got, err)
		}
	})
}

func TestAnEncryptedPayloadShowsNothing(t *testing.T) {
	const window = 8 // letters: fewer may be there by chance
	text := rapid.StringMatching(`[A-Z]{8,300}`)
	rapid.Check(t, func(t *rapid.T) {
		data, name, value := text.Draw(t, "data"), text.Draw(t, "name"), text.Draw(t, "value")
		p := &commonpb.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte("json/plain"), name: []byte(value)}, Data: []byte(data)}
		got := encode(t, keysOf(t, "2026-a"), p)[0]
		if len(got.Metadata) != 2 || string(got.Metadata[keyID]) != "2026-a" || encoding(got) != encrypted {
			t.Errorf("the metadata is %v", got.Metadata)
		}
		bytesOf, err := proto.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{data, name, value, "json/plain"} {
			for i := range len(secret) - window + 1 {
				if bytes.Contains(bytesOf, []byte(secret[i:i+window])) {
					t.Fatalf("%s is shown", secret[i:i+window])
				}
			}
		}
	})
}

func TestEqualPayloadsAreEncryptedDifferently(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPayload(t)
		if got := encode(t, keysOf(t, "a"), p, p); bytes.Equal(got[0].Data, got[1].Data) {
			t.Fatal("both are the same")
		}
	})
}
