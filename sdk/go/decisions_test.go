package authservice

import (
	"encoding/json"
	"testing"
	"time"
)

// decisionJSON is a decision as the kit writes it.
type decisionJSON struct {
	UserID          string     `json:"userId,omitempty"`
	EffectiveStatus Status     `json:"effectiveStatus"`
	DecidedBy       *string    `json:"decidedBy"`
	Roles           []roleText `json:"roles"`
	Code            *string    `json:"code"`
	AgeSeconds      *float64   `json:"ageSeconds,omitempty"`
}

type roleText struct {
	Name      string  `json:"name"`
	ExpiresAt *string `json:"expiresAt"`
}

func toJSON(decision Decision) decisionJSON {
	orNull := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	roles := []roleText{}
	for _, role := range decision.Roles {
		text := ""
		if !role.ExpiresAt.IsZero() {
			text = role.ExpiresAt.Format("2006-01-02T15:04:05.000Z")
		}
		roles = append(roles, roleText{role.Name, orNull(text)})
	}
	return decisionJSON{
		EffectiveStatus: decision.EffectiveStatus,
		DecidedBy:       orNull(decision.DecidedBy),
		Roles:           roles,
		Code:            orNull(string(decision.Code)),
	}
}

func TestDecisions(t *testing.T) {
	var cases []struct {
		Name, AppID, UserID string
		Entries             []json.RawMessage
		RolloutPercent      float64
		At                  time.Time
		Expected            decisionJSON
	}
	readKit(t, "decisions", &cases)
	for _, each := range cases {
		each := each
		t.Run(each.Name, func(t *testing.T) {
			state := newReplicaState(each.AppID)
			added := page{rollouts: []rollout{{each.RolloutPercent, 1}}}
			for _, entry := range each.Entries {
				facts, err := readEntry(entry)
				if err != nil {
					t.Fatal(err)
				}
				added.facts = append(added.facts, facts...)
			}
			state.addPage(added, 0)
			decision := state.decide(each.UserID, millis(each.At.UnixMilli()), 0)
			if one, other := marshal(t, toJSON(decision)), marshal(t, each.Expected); !sameJSON(t, one, other) {
				t.Errorf("the decision is %s, not %s", one, other)
			}
			if decision.IsEnabled() != (each.Expected.EffectiveStatus == Enabled) {
				t.Error("IsEnabled is not the effective status")
			}
		})
	}
}

func TestRollout(t *testing.T) {
	var cases []struct {
		AppID, UserID string
		Hash          uint32
		Bucket        int
		LowestPercent float64
	}
	readKit(t, "rollout", &cases)
	for _, each := range cases {
		if hash := murmur3(each.AppID + ":" + each.UserID); hash != each.Hash {
			t.Errorf("the hash of %s is %d, not %d", each.UserID, hash, each.Hash)
		}
		if bucket := RolloutBucket(each.AppID, each.UserID); bucket != each.Bucket {
			t.Errorf("the bucket of %s is %d, not %d", each.UserID, bucket, each.Bucket)
		}
		if !IsInRollout(each.AppID, each.UserID, each.LowestPercent) || IsInRollout(each.AppID, each.UserID, each.LowestPercent-0.01) {
			t.Errorf("%s is not in the rollout from %v %% on", each.UserID, each.LowestPercent)
		}
	}
}
