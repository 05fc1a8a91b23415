package authservice

import (
	"reflect"
	"testing"
)

func TestAComparisonDoubtsTheUsersOfWhomThePageSaysSomethingElse(t *testing.T) {
	now := millisOf(kitStart)
	erased := value{kind: expires, end: now + 1000}
	of := func(part string, given value) facts { return facts{{part: part, value: given}} }
	disabled := of(partSetting, value{kind: status, text: "disabled"})
	through := "m"
	compare := func(kind string, users, theirs map[string]facts) []doubted {
		ranges := []comparedRange{{kind: kind, after: position{after: "b"}, through: &through}}
		return pageComparison{now, ranges, map[string]map[string]facts{kind: theirs}}.different(users)
	}
	none := value{kind: expires}
	for name, each := range map[string]struct {
		kind          string
		users, theirs map[string]facts
		wanted        []doubted
	}{
		"erased only here":  {kindErased, map[string]facts{"c": of(partErased, erased)}, nil, []doubted{{"c", none}}},
		"erased only there": {kindErased, nil, map[string]facts{"c": of(partErased, erased)}, []doubted{{"c", erased}}},
		"erased until another time": {kindErased, map[string]facts{"c": of(partErased, value{kind: expires, end: now + 1})},
			map[string]facts{"c": of(partErased, erased)}, []doubted{{"c", erased}}},
		// While a user is being erased, the snapshot still has other entries of the user.
		"erased here, with an access there": {kindAccess, map[string]facts{"c": of(partErased, erased)}, map[string]facts{"c": disabled}, nil},
		"an access only here":               {kindAccess, map[string]facts{"c": disabled}, nil, []doubted{{"c", none}}},
		"an access only there":              {kindAccess, nil, map[string]facts{"c": disabled}, []doubted{{"c", none}}},
		"the same access":                   {kindAccess, map[string]facts{"c": disabled}, map[string]facts{"c": disabled}, nil},
		"inactive only here":                {kindInactive, map[string]facts{"c": of(partUser, value{kind: present})}, nil, []doubted{{"c", none}}},
		"outside of the range":              {kindAccess, map[string]facts{"a": disabled, "b": disabled, "n": disabled}, nil, nil},
		"the last id of the range":          {kindAccess, map[string]facts{"m": disabled}, nil, []doubted{{"m", none}}},
	} {
		if found := compare(each.kind, each.users, each.theirs); !reflect.DeepEqual(found, each.wanted) {
			t.Errorf("%s: doubted are %+v, not %+v", name, found, each.wanted)
		}
	}
	if (comparedRange{after: position{isAtEnd: true}}).includes("z") || !(comparedRange{after: position{after: "z"}}).includes("zz") {
		t.Error("a range without an end has other ids than those after its beginning")
	}
}
