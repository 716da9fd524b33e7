package machine

import (
	"slices"
	"testing"
)

func TestEveryKindOfGateIsOffered(t *testing.T) {
	kinds := []GateKind{GateNoOutput, GateBlocked, GateCheckpoint}
	for kind := range GateOptions {
		kinds = append(kinds, kind)
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(Offers(), func(o Offer) bool { return o.Kind == kind }) {
			t.Errorf("the offers leave out %s", kind)
		}
	}
}

func TestEveryOfferCanBeLeftOpenAndNamesEachOptionOnce(t *testing.T) {
	for _, o := range Offers() {
		if last := o.Options[len(o.Options)-1]; last.Effect != EffectStop {
			t.Errorf("%s ends with %s, want stop", o.Kind, last.Name)
		}
		seen := map[string]bool{}
		for _, option := range o.Options {
			if seen[option.Name] {
				t.Errorf("%s offers %s twice", o.Kind, option.Name)
			}
			seen[option.Name] = true
		}
	}
}
