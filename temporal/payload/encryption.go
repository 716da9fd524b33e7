package payload

import (
	"fmt"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// The metadata of an encrypted payload, as Temporal's samples have it.
const (
	encrypted = "binary/encrypted"
	keyID     = "encryption-key-id"
)

// encryption encrypts whole payloads with AES-256-GCM, metadata included. The data begins with the nonce.
type encryption struct{ keys Keys }

// Encode encrypts with the first key, if there is one.
func (e encryption) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return each(payloads, e.encrypt)
}

// Decode decrypts each encrypted payload with the key that it names.
func (e encryption) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return each(payloads, e.decrypt)
}

func each(payloads []*commonpb.Payload, change func(*commonpb.Payload) (*commonpb.Payload, error)) ([]*commonpb.Payload, error) {
	results := make([]*commonpb.Payload, len(payloads))
	for i, p := range payloads {
		result, err := change(p)
		if err != nil {
			return nil, err
		}
		results[i] = result
	}
	return results, nil
}

func (e encryption) encrypt(p *commonpb.Payload) (*commonpb.Payload, error) {
	if len(e.keys.list) == 0 {
		return p, nil
	}
	k := e.keys.list[0]
	plain, err := proto.Marshal(p)
	metadata := map[string][]byte{converter.MetadataEncoding: []byte(encrypted), keyID: []byte(k.id)}
	return &commonpb.Payload{Metadata: metadata, Data: k.aead.Seal(nil, nil, plain, nil)}, err
}

func (e encryption) decrypt(p *commonpb.Payload) (*commonpb.Payload, error) {
	if encoding(p) != encrypted {
		return p, nil
	}
	id := string(p.GetMetadata()[keyID])
	k := e.keys.find(id)
	if k == nil {
		return nil, fmt.Errorf("payload was encrypted with key %q, which isn't in the key file. Pass the fleet's newest file with --keys, or set TEMPORAL_AUTOPILOT_KEYS", id)
	}
	plain, err := k.aead.Open(nil, nil, p.GetData(), nil)
	if err != nil {
		return nil, fmt.Errorf("payload was changed, or encrypted with a key other than %q of the key file: %w", id, err)
	}
	original := &commonpb.Payload{}
	return original, proto.Unmarshal(plain, original)
}
