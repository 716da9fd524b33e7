package sessions

import (
	"bytes"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestIndentIsThatOfTheStandardLibrary(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) any {
		text := rapid.StringOf(rapid.RuneFrom([]rune(`ab"\{}[],:é` + "\n\t ")))
		leaf := rapid.OneOf(text.AsAny(), rapid.Int().AsAny(), rapid.Float64().AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil))
		list := rapid.SliceOfN(leaf, 0, 3).AsAny()
		object := rapid.MapOfN(text, rapid.OneOf(leaf, list), 0, 3).AsAny()
		return rapid.OneOf(leaf, list, object, rapid.SliceOfN(object, 0, 3).AsAny()).Draw(t, "value")
	})
	rapid.Check(t, func(t *rapid.T) {
		doc, err := compact(value.Draw(t, "document"))
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := json.Indent(&want, doc, "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := indent(doc); !bytes.Equal(got, want.Bytes()) {
			t.Errorf("of %s\n got %s\nwant %s", doc, got, want.Bytes())
		}
	})
}
