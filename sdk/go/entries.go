package authservice

import (
	"encoding/json"
	"errors"
	"sort"
	"strings"
)

// errIncomplete says that a response of the service is inconsistent or cannot be read. Nothing of it is used.
var errIncomplete = errors.New("authservice: a response of the service is incomplete")

// readEntry reads an entry of the snapshot. It fails if its kind is unknown, because it could be a block.
func readEntry(raw json.RawMessage) ([]fact, error) {
	var entry struct {
		Kind, UserID  string
		ChangeID      *string
		Status, Until givenText
		Roles         []roleJSON
	}
	if decode(raw, &entry) != nil || entry.UserID == "" || entry.ChangeID == nil {
		return nil, errIncomplete
	}
	id := *entry.ChangeID
	of := func(part string, given value) fact {
		return fact{userID: entry.UserID, known: known{part, id, given}}
	}
	switch entry.Kind {
	case kindInactive:
		return []fact{of(partUser, value{kind: present})}, nil
	case kindErased:
		return []fact{of(partErased, erasedUntil(timeOfChange(id)))}, nil
	case kindAccess:
		if !entry.Status.isGiven || !entry.Until.isGiven || entry.Roles == nil {
			return nil, errIncomplete
		}
		setting := value{}
		if entry.Status.text != nil {
			setting = settingOf(*entry.Status.text, entry.Until.text)
		}
		facts := []fact{of(partAccess, value{}), of(partSetting, setting)}
		for _, role := range entry.Roles {
			if role.Name == nil || !role.ExpiresAt.isGiven {
				return nil, errIncomplete
			}
			facts = append(facts, of("+"+*role.Name, roleUntil(role.ExpiresAt.text)))
		}
		return facts, nil
	default:
		return nil, errIncomplete
	}
}

// givenText is a member that is a text or null, and whether it is there: without an end, a role would never expire.
type givenText struct {
	isGiven bool
	text    *string
}

// UnmarshalJSON is also called for null.
func (g *givenText) UnmarshalJSON(raw []byte) error {
	g.isGiven = true
	return json.Unmarshal(raw, &g.text)
}

// feedChange is what a replica reads of a change, of which other actions may have members of other types.
type feedChange struct {
	id, action, userID, role string
	before, after            json.RawMessage
	isSigned                 bool
}

func readFeedChange(raw json.RawMessage) (feedChange, error) {
	var given struct {
		ID, Action, UserID, Role, Signature any
		Before, After                       json.RawMessage
	}
	if decode(raw, &given) != nil {
		return feedChange{}, errIncomplete
	}
	change := feedChange{before: given.Before, after: given.After, isSigned: isDetachedJWS(given.Signature)}
	change.id, _ = given.ID.(string)
	change.action, _ = given.Action.(string)
	change.userID, _ = given.UserID.(string)
	change.role, _ = given.Role.(string)
	return change, nil
}

// isDetachedJWS reports whether the service vouches for a change: it signs those whose MAC is valid when it hands them out. What
// somebody wrote to its table has no signature (JWS with detached content, RFC 7515 appendix F).
func isDetachedJWS(signature any) bool {
	given, isText := signature.(string)
	header, mac, isDetached := strings.Cut(given, "..")
	return isText && isDetached && isBase64URL(header) && isBase64URL(mac)
}

func isBase64URL(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return text != ""
}

// A stateReader reads the value in the state before or after a change, or fails.
type stateReader func(state json.RawMessage) (value, error)

// fact returns that of a change, and false if no decision depends on it.
func (c feedChange) fact() (found fact, isFact bool, err error) {
	var read stateReader
	found = fact{userID: c.userID, known: known{id: c.id}}
	switch c.action {
	case "user.deleted":
		found.part, found.value = partErased, erasedUntil(timeOfChange(c.id))
	case "user.created":
		found.part = partErased
	case "user.status.changed":
		found.part, read = partUser, readInactivity
	case "access.changed":
		found.part, read = partSetting, readSetting
	case "role.assigned", "role.revoked":
		found.part, read = "+"+c.role, readRole
		if c.role == "" {
			return fact{}, false, errIncomplete
		}
	default:
		return fact{}, false, nil
	}
	if c.id == "" || c.userID == "" {
		return fact{}, false, errIncomplete
	}
	if read == nil {
		return found, true, nil
	}
	if found.value, err = read(c.after); err != nil {
		return fact{}, false, err
	}
	if found.hasBefore = len(c.before) > 0 && string(c.before) != "null"; found.hasBefore {
		found.before, err = read(c.before)
	}
	return found, err == nil, err
}

func readInactivity(raw json.RawMessage) (value, error) {
	var state struct{ Status *string }
	if decode(raw, &state) != nil || state.Status == nil {
		return value{}, errIncomplete
	}
	if *state.Status != "active" {
		return value{kind: present}, nil
	}
	return value{}, nil
}

func readSetting(raw json.RawMessage) (value, error) {
	var state struct {
		Status   *string
		Explicit *bool
		Until    *string
	}
	if decode(raw, &state) != nil || state.Status == nil || state.Explicit == nil {
		return value{}, errIncomplete
	}
	if !*state.Explicit {
		return value{}, nil
	}
	return settingOf(*state.Status, state.Until), nil
}

func readRole(raw json.RawMessage) (value, error) {
	var state struct {
		Granted   *bool
		ExpiresAt givenText
	}
	if decode(raw, &state) != nil || state.Granted == nil {
		return value{}, errIncomplete
	}
	if !*state.Granted {
		return value{}, nil
	}
	if !state.ExpiresAt.isGiven {
		return value{}, errIncomplete
	}
	return roleUntil(state.ExpiresAt.text), nil
}

// page is the content of a page.
type page struct {
	facts    []fact
	rollouts []rollout
	// users are those of the changes that the service vouches for.
	users map[string]bool
	// unsigned are changes that the service does not vouch for. Nothing of them is known to be true but that something may have
	// changed.
	unsigned []feedChange
}

// readChanges reads the changes of a page as a whole.
func readChanges(items []json.RawMessage) (page, error) {
	found := page{users: map[string]bool{}}
	for _, item := range items {
		change, err := readFeedChange(item)
		if err != nil {
			return page{}, err
		}
		if !change.isSigned {
			found.unsigned = append(found.unsigned, change)
		} else if err := found.take(change); err != nil {
			return page{}, err
		}
	}
	// The order of numbers is that of commits, and of one user's changes that of their ids; pending ones are in any order.
	sort.SliceStable(found.facts, func(i, j int) bool { return found.facts[i].id < found.facts[j].id })
	return found, nil
}

func (p *page) take(change feedChange) error {
	if change.userID != "" {
		p.users[change.userID] = true
	}
	if change.action == "application.updated" {
		var after struct{ RolloutPercent, Version *float64 }
		if decode(change.after, &after) != nil {
			return errIncomplete
		}
		if after.RolloutPercent != nil && *after.RolloutPercent >= 0 {
			if after.Version == nil {
				return errIncomplete
			}
			p.rollouts = append(p.rollouts, rollout{*after.RolloutPercent, *after.Version})
		}
	}
	found, isFact, err := change.fact()
	if isFact {
		p.facts = append(p.facts, found)
	}
	return err
}

// factsOf returns the facts of a user about whom the service was asked, who counts as erased until a time if there is no such user.
func factsOf(answer CheckedAccess, erased value) facts {
	if answer.Access == nil {
		return facts{{part: partErased, value: erased}}
	}
	var found facts
	access := answer.Access
	if access.UserStatus != "active" {
		found = append(found, known{part: partUser, value: value{kind: present}})
	}
	if access.Explicit {
		setting := value{kind: status, text: string(access.Status)}
		if !access.Until.IsZero() {
			setting = value{kind: expires, end: millis(access.Until.UnixMilli())}
		}
		found = append(found, known{part: partSetting, value: setting})
	}
	for _, role := range access.Roles {
		held := value{kind: present}
		if !role.ExpiresAt.IsZero() {
			held = value{kind: expires, end: millis(role.ExpiresAt.UnixMilli())}
		}
		found = append(found, known{part: "+" + role.Name, value: held})
	}
	return found
}
