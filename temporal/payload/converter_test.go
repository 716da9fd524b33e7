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

// drawPayload draws any payload but one that already claims to be encrypted.
func drawPayload(t *rapid.T) *commonpb.Payload {
	p := &commonpb.Payload{Metadata: rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.Byte())).Draw(t, "metadata")}
	if p.Metadata == nil {
		p.Metadata = map[string][]byte{}
	}
	p.Metadata[converter.MetadataEncoding] = []byte(rapid.SampledFrom([]string{"json/plain", "binary/plain", "", compressed}).Draw(t, "encoding"))
	p.Data = bytes.Repeat(rapid.SliceOf(rapid.Byte()).Draw(t, "data"), rapid.IntRange(1, 50).Draw(t, "repeated"))
	return p
}

// drawKeys draws up to three keys, in any order, or none.
func drawKeys(t *rapid.T) Keys {
	return keysOf(t, rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"2026-a", "2026-b", "2026-c"}), 0, 3, rapid.ID[string]).Draw(t, "keys")...)
}

// codec is what a converter does to payloads.
func codec(keys Keys) converter.PayloadCodec {
	return Converter(keys).(converter.PayloadCodecProvider).Codec()
}

func encode(t rapid.TB, keys Keys, payloads ...*commonpb.Payload) []*commonpb.Payload {
	t.Helper()
	encoded, err := codec(keys).Encode(payloads)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func same(a, b []*commonpb.Payload) bool {
	return proto.Equal(&commonpb.Payloads{Payloads: a}, &commonpb.Payloads{Payloads: b})
}

func TestAnyPayloadComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys, payloads := drawKeys(t), rapid.SliceOfN(rapid.Custom(drawPayload), 0, 3).Draw(t, "payloads")
		before := proto.CloneOf(&commonpb.Payloads{Payloads: payloads})
		got, err := codec(keys).Decode(encode(t, keys, payloads...))
		if err != nil || !same(got, before.Payloads) {
			t.Fatalf("it comes back as %v: %v", got, err)
		}
		if !same(payloads, before.Payloads) {
			t.Fatal("encoding changes the payloads that it gets")
		}
	})
}

// TestTheSmallerPayloadIsKept: compression adds nothing, also where the SDK's codec would.
func TestTheSmallerPayloadIsKept(t *testing.T) {
	zlib := converter.NewZlibCodec(converter.ZlibCodecOptions{AlwaysEncode: true})
	rapid.Check(t, func(t *rapid.T) {
		p := drawPayload(t)
		if encoding(p) == compressed {
			t.Skip("it has to be wrapped")
		}
		p.Metadata = map[string][]byte{converter.MetadataEncoding: p.Metadata[converter.MetadataEncoding]} // more have no order
		packed, err := zlib.Encode([]*commonpb.Payload{p})
		if err != nil {
			t.Fatal(err)
		}
		want := p
		if proto.Size(packed[0]) < proto.Size(p) {
			want = packed[0]
		}
		if got := encode(t, Keys{}, p)[0]; !proto.Equal(got, want) {
			t.Fatalf("%d bytes became %d instead of %d", proto.Size(p), proto.Size(got), proto.Size(want))
		}
	})
}

func TestWhatIsCompressed(t *testing.T) {
	for name, c := range map[string]struct {
		data    string
		smaller bool
	}{
		"nothing":    {"", false},
		"a word":     {`"done"`, false},
		"a sentence": {`"every criterion of this spec is met"`, false},
		"a journal":  {strings.Repeat(`{"type":"task_started","task":"t1"}`, 100), true},
	} {
		t.Run(name, func(t *testing.T) {
			p := &commonpb.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte("json/plain")}, Data: []byte(c.data)}
			if got := encode(t, Keys{}, p)[0]; (proto.Size(got) < proto.Size(p)/4) != c.smaller || c.smaller == proto.Equal(got, p) {
				t.Errorf("%d bytes became %d: %v", proto.Size(p), proto.Size(got), got.Metadata)
			}
			if got := encode(t, keysOf(t, "a"), p)[0]; c.smaller && proto.Size(got) > proto.Size(p)/4 {
				t.Errorf("encrypted, %d bytes became %d", proto.Size(p), proto.Size(got))
			}
		})
	}
}
