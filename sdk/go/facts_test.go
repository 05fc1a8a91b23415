package authservice

import (
	"reflect"
	"testing"
	"time"
)

// changed returns the facts after changes in this order.
func changed(changes ...known) facts {
	var result facts
	for _, each := range changes {
		result, _ = result.add(fact{known: each}, 0)
	}
	return result
}

func TestDroppingTheOrderOfChangesChangesNoDecision(t *testing.T) {
	now := millisOf(kitStart)
	erased := value{kind: expires, end: now + 1000}
	disabled := value{kind: status, text: "disabled"}
	for name, found := range map[string]facts{
		"an erased user":                     changed(known{partErased, "5", erased}),
		"a user who exists again":            changed(known{partErased, "5", erased}, known{partErased, "6", value{}}),
		"a user of whom a change came since": changed(known{partErased, "5", erased}, known{partSetting, "7", disabled}),
		"a user with a change from before":   changed(known{partErased, "5", erased}, known{partSetting, "4", disabled}),
		"an access that was read":            changed(known{partAccess, "5", value{}}, known{partSetting, "4", disabled}, known{"+editor", "6", value{kind: present}}),
		"an inactive user":                   changed(known{partAccess, "5", value{}}, known{partUser, "4", value{kind: present}}),
	} {
		state := newReplicaState("billing")
		state.users["ada"] = found
		before := state.decide("ada", now, 0)
		state.users["ada"] = found.withoutOrder()
		if after := state.decide("ada", now, 0); !before.isSame(after) {
			t.Errorf("the decision about %s was %+v and is %+v", name, before, after)
		}
		if newest := found.withoutOrder().evaluate(now).newest; newest != "" {
			t.Errorf("%s still has the order of changes: %s", name, newest)
		}
	}
}

func TestFactsAreNeverChangedInPlace(t *testing.T) {
	before := changed(known{partSetting, "1", value{kind: status, text: "enabled"}}, known{"+editor", "1", value{kind: present}})
	copied := append(facts{}, before...)
	before.add(fact{known: known{partSetting, "2", value{}}}, 0)
	before.add(fact{known: known{"+owner", "2", value{kind: present}}}, 0)
	if !reflect.DeepEqual(before, copied) {
		t.Errorf("the facts have become %+v", before)
	}
}

func TestAnExpiryIsToldEvenIfAnotherChangeOfTheUserComesFirst(t *testing.T) {
	m := &machine{wall: kitStart}
	var told []ReplicaChange
	k := newKnowledge(newServiceClock(m.clocks(), nil), func(change ReplicaChange) { told = append(told, change) })
	state := newReplicaState("billing")
	state.users["ada"] = changed(known{partSetting, "1", value{kind: expires, end: millisOf(kitStart.Add(time.Second))}})
	k.change([]string{"ada"}, func() { k.state = state })
	if k.reportAt != time.Second || len(told) != 0 {
		t.Fatalf("a report is due at %s, told were %v", k.reportAt, told)
	}
	m.pass(2*time.Second, 2*time.Second)
	k.change([]string{"ada"}, func() {
		state.users["ada"], _ = state.users["ada"].add(fact{known: known{part: partUser, id: "2"}}, 0)
	})
	if !reflect.DeepEqual(told, []ReplicaChange{{UserIDs: []string{"ada"}}}) || k.reportAt != maxDuration {
		t.Errorf("told were %v, and a report is due at %s", told, k.reportAt)
	}
}
