// Package payload is the data converter of autopilot's fleet. It compresses what Temporal keeps of a session, and encrypts it where
// there is a key.
package payload

import (
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

// Converter returns the data converter for clients and workers: Temporal's own, then compression, then encryption with the first key.
// Without keys it only compresses. What isn't encrypted is decoded all the same: sessions from before the first key go on.
//
// Temporal doesn't encode the messages of failures, unless the client has a temporal.NewDefaultFailureConverter with this converter
// and EncodeCommonAttributes.
func Converter(keys Keys) converter.DataConverter {
	return converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), codecs(keys)...)
}

// codecs returns the codecs in the SDK's order: the last one encodes first.
func codecs(keys Keys) []converter.PayloadCodec {
	return []converter.PayloadCodec{
		encryption{keys},
		compression{converter.NewZlibCodec(converter.ZlibCodecOptions{AlwaysEncode: true})},
	}
}

// compressed is the encoding of the SDK's zlib codec.
const compressed = "binary/zlib"

// compression is the SDK's zlib codec for payloads that get smaller. The SDK's own choice ignores the metadata that it adds, so small
// payloads would grow.
type compression struct{ converter.PayloadCodec }

// Encode leaves a payload as it is if it doesn't get smaller, unless Decode would then take it for compressed.
func (c compression) Encode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	packed, err := c.PayloadCodec.Encode(payloads)
	if err != nil {
		return nil, err
	}
	for i, p := range payloads {
		if proto.Size(p) <= proto.Size(packed[i]) && encoding(p) != compressed {
			packed[i] = p
		}
	}
	return packed, nil
}

func encoding(p *commonpb.Payload) string { return string(p.GetMetadata()[converter.MetadataEncoding]) }
