package authservice

import (
	"encoding/json"
	"time"
)

// A Status says whether a user may enter an application.
type Status string

// The statuses.
const (
	// Enabled means that the user may enter.
	Enabled Status = "enabled"
	// Disabled means that the user may not.
	Disabled Status = "disabled"
)

// A Role is a role that a user holds now.
type Role struct {
	// Name is case-sensitive.
	Name string
	// ExpiresAt is when the grant expires; the zero time for never.
	ExpiresAt time.Time
}

// An Access is the access of one user to one application. Obey EffectiveStatus, or [Access.IsEnabled]: roles are listed even while
// it is disabled.
type Access struct {
	// UserID is the user, by the id that your applications share.
	UserID string
	// AppID is the application of the API key.
	AppID string
	// Status was set for this user in this application, or is the default, Enabled.
	Status Status
	// Explicit says whether the status was ever set.
	Explicit bool
	// Until is when the block expires; the zero time for never.
	Until time.Time
	// Reason may be empty.
	Reason string
	// UserStatus is the global status of the user: active or inactive.
	UserStatus string
	// EffectiveStatus is the effective status now, which the application must obey.
	EffectiveStatus Status
	// DecidedBy is what decided: user, explicit, lapsed, rollout or default. New values may be added.
	DecidedBy string
	// Roles are those that the user holds now, ordered by name.
	Roles []Role
	// Version counts the changes; the value for [IfVersion].
	Version int
	// UpdatedAt is the zero time if the access never changed.
	UpdatedAt time.Time
	// Raw is the whole answer, also with members that this version of the package does not know.
	Raw json.RawMessage
}

// IsEnabled reports whether the user may enter; false for nil.
func (a *Access) IsEnabled() bool {
	return a != nil && a.EffectiveStatus == Enabled
}

// May reports whether the user may enter and holds this role; false for nil.
func (a *Access) May(role string) bool {
	return a.IsEnabled() && hasRole(a.Roles, role)
}

func hasRole(roles []Role, names ...string) bool {
	for _, role := range roles {
		for _, name := range names {
			if role.Name == name {
				return true
			}
		}
	}
	return false
}

// A CheckedAccess is the result for one of several users.
type CheckedAccess struct {
	// UserID is the id, as asked.
	UserID string
	// Access is nil if the id matches no user, who has no access.
	Access *Access
}

// IsEnabled reports whether the user may enter.
func (c CheckedAccess) IsEnabled() bool {
	return c.Access.IsEnabled()
}

// A ChangedAccess is the response to a write.
type ChangedAccess struct {
	Access
	// Changed says whether the request changed anything; false if the access was already in this state.
	Changed bool
	// ChangeID is the id of the change that the request made; empty if nothing changed.
	ChangeID string
}

// A Change is the record of one accepted change. Its action says which; ignore those that you do not know.
type Change struct {
	// ID is a ULID. Of two changes of a user, the one with the higher id is the later one.
	ID string
	// Action is such as access.changed, role.assigned or user.status.changed.
	Action string
	// At is when it happened.
	At time.Time
	// AppID is empty for a change in all applications.
	AppID string
	// UserID is empty for a change of no user.
	UserID string
	// Role is empty for a change of no role.
	Role string
	// Reason is what the caller gave; it may be empty.
	Reason string
	// Before is the state before; null if there was none.
	Before json.RawMessage
	// After is the state after; null if there is none.
	After json.RawMessage
	// Raw is the whole change, which [VerifyChange] verifies.
	Raw json.RawMessage
}

type roleJSON struct {
	Name      *string
	ExpiresAt givenText
}

type accessJSON struct {
	UserID          string
	AppID           string
	Status          Status
	Explicit        bool
	Until           *string
	Reason          *string
	UserStatus      string
	EffectiveStatus Status
	DecidedBy       string
	Roles           []roleJSON
	Version         int
	UpdatedAt       *string
	Changed         bool
	ChangeID        *string
}

// readAccess reads the access of this user to this application, with a valid status.
func readAccess(body []byte, userID, appID string) (*ChangedAccess, error) {
	var given accessJSON
	if err := decode(body, &given); err != nil {
		return nil, err
	}
	isStatus := given.EffectiveStatus == Enabled || given.EffectiveStatus == Disabled
	if given.UserID != userID || given.AppID != appID || !isStatus {
		return nil, errNotExpected
	}
	roles, err := readRoles(given.Roles)
	if err != nil {
		return nil, err
	}
	until, err := parseTime(given.Until)
	if err != nil {
		return nil, err
	}
	updatedAt, err := parseTime(given.UpdatedAt)
	if err != nil {
		return nil, err
	}
	return &ChangedAccess{
		Access: Access{
			UserID:          userID,
			AppID:           appID,
			Status:          given.Status,
			Explicit:        given.Explicit,
			Until:           until,
			Reason:          orEmpty(given.Reason),
			UserStatus:      given.UserStatus,
			EffectiveStatus: given.EffectiveStatus,
			DecidedBy:       given.DecidedBy,
			Roles:           roles,
			Version:         given.Version,
			UpdatedAt:       updatedAt,
			Raw:             body,
		},
		Changed:  given.Changed,
		ChangeID: orEmpty(given.ChangeID),
	}, nil
}

// readRoles reads roles with names; a malformed one makes the whole answer unexpected.
func readRoles(given []roleJSON) ([]Role, error) {
	if given == nil {
		return nil, errNotExpected
	}
	roles := make([]Role, len(given))
	for i, role := range given {
		if role.Name == nil {
			return nil, errNotExpected
		}
		expiresAt, err := parseTime(role.ExpiresAt.text)
		if err != nil {
			return nil, err
		}
		roles[i] = Role{*role.Name, expiresAt}
	}
	return roles, nil
}

// readChecked reads an answer about each of these users, in this order.
func readChecked(body []byte, userIDs []string, appID string) ([]CheckedAccess, error) {
	var given struct{ Items []json.RawMessage }
	if err := decode(body, &given); err != nil {
		return nil, err
	}
	if given.Items == nil || len(given.Items) != len(userIDs) {
		return nil, errNotExpected
	}
	checked := make([]CheckedAccess, len(userIDs))
	for i, item := range given.Items {
		var unknown struct{ UserID, Code string }
		if err := decode(item, &unknown); err != nil {
			return nil, err
		}
		checked[i].UserID = userIDs[i]
		if unknown.Code == codeUserNotFound && unknown.UserID == userIDs[i] {
			continue
		}
		access, err := readAccess(item, userIDs[i], appID)
		if err != nil {
			return nil, err
		}
		checked[i].Access = &access.Access
	}
	return checked, nil
}

// readChange reads a change of the feed or of a delivery.
func readChange(raw json.RawMessage) (Change, error) {
	var given struct {
		ID, Action                  string
		At                          *string
		AppID, UserID, Role, Reason *string
		Before, After               json.RawMessage
	}
	if err := decode(raw, &given); err != nil {
		return Change{}, err
	}
	at, err := parseTime(given.At)
	if err != nil {
		return Change{}, err
	}
	if given.ID == "" {
		return Change{}, errNotExpected
	}
	return Change{
		ID:     given.ID,
		Action: given.Action,
		At:     at,
		AppID:  orEmpty(given.AppID),
		UserID: orEmpty(given.UserID),
		Role:   orEmpty(given.Role),
		Reason: orEmpty(given.Reason),
		Before: given.Before,
		After:  given.After,
		Raw:    raw,
	}, nil
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
