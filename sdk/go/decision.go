package authservice

import "time"

// A DecisionCode says why there is no decision.
type DecisionCode string

// The codes, each of which means disabled.
const (
	// NoUser means that the user was erased or does not exist, or that no user can have this id.
	NoUser DecisionCode = codeUserNotFound
	// NothingKnown means that a replica has no data about this id.
	NothingKnown DecisionCode = "unknown"
	// TooOld means that the data of a replica is older than allowed.
	TooOld DecisionCode = "stale"
	// KeyRefused means that the data is too old, and that the service has rejected the key.
	KeyRefused DecisionCode = "key_refused"
)

// A Decision says whether a user may enter. Obey EffectiveStatus, or [Decision.IsEnabled]: roles are listed even while it is
// disabled. The zero value admits nobody.
type Decision struct {
	// UserID is the user, as asked.
	UserID string
	// EffectiveStatus is what the application must obey.
	EffectiveStatus Status
	// DecidedBy is what decided, as in an [Access]; empty without a decision, which is never enabled; outage if only
	// [AllowWhenUnavailable] admits the user.
	DecidedBy string
	// Roles are those that the user holds now, ordered by name.
	Roles []Role
	// Code says why there is no decision; empty if there is one.
	Code DecisionCode
	// Age is that of the data; 0 if the service was asked.
	Age time.Duration
	// Reason is that of the status, if the service was asked; a replica knows none.
	Reason string
}

// IsEnabled reports whether the user may enter.
func (d Decision) IsEnabled() bool {
	return d.EffectiveStatus == Enabled && d.Code == ""
}

// May reports whether the user may enter and holds this role.
func (d Decision) May(role string) bool {
	return d.IsEnabled() && hasRole(d.Roles, role)
}

// noDecision is the answer without a decision.
func noDecision(userID string, code DecisionCode, age time.Duration) Decision {
	return Decision{UserID: userID, EffectiveStatus: Disabled, Code: code, Age: age}
}

// rollout is the percentage of users without an explicit status who have access, and the version of the application that set it.
type rollout struct {
	Percent float64
	Version float64
}

// replicaState is the data of an application's replica.
type replicaState struct {
	appID string
	// users are those with known facts; the default applies to all others.
	users   map[string]facts
	rollout rollout
	// cursor is the position of the first change that is not applied yet.
	cursor string
}

func newReplicaState(appID string) *replicaState {
	return &replicaState{appID: appID, users: map[string]facts{}, rollout: rollout{100, -1}}
}

// decide makes the same decision as the service's, at a time.
func (s *replicaState) decide(userID string, now millis, age time.Duration) Decision {
	known, isKnown := s.users[userID]
	if !isKnown && !isUserID(userID) {
		return noDecision(userID, NoUser, age)
	}
	found := known.evaluate(now)
	if found.erasedUntil != 0 {
		return noDecision(userID, NoUser, age)
	}
	decision := Decision{UserID: userID, EffectiveStatus: Enabled, DecidedBy: "default", Age: age, Roles: rolesOf(found.roles)}
	isEnabled := true
	switch {
	case found.isInactive:
		isEnabled, decision.DecidedBy = false, "user"
	case found.setting == settingLapsed:
		decision.DecidedBy = "lapsed"
	case found.setting != settingNone:
		isEnabled, decision.DecidedBy = found.setting == settingEnabled, "explicit"
	case s.rollout.Percent < 100:
		isEnabled, decision.DecidedBy = IsInRollout(s.appID, userID, s.rollout.Percent), "rollout"
	}
	if !isEnabled {
		decision.EffectiveStatus = Disabled
	}
	return decision
}

func rolesOf(held []heldRole) []Role {
	roles := make([]Role, len(held))
	for i, role := range held {
		roles[i].Name = role.name
		if role.value.kind == expires && role.value.end != never {
			roles[i].ExpiresAt = time.UnixMilli(int64(role.value.end)).UTC()
		}
	}
	return roles
}

// isSame reports whether two decisions differ in nothing but their age.
func (d Decision) isSame(other Decision) bool {
	if d.EffectiveStatus != other.EffectiveStatus || d.DecidedBy != other.DecidedBy || d.Code != other.Code || len(d.Roles) != len(other.Roles) {
		return false
	}
	for i, role := range d.Roles {
		if role.Name != other.Roles[i].Name || !role.ExpiresAt.Equal(other.Roles[i].ExpiresAt) {
			return false
		}
	}
	return true
}
