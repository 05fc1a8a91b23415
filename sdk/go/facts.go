package authservice

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// millis is a time, in milliseconds since 1970.
type millis int64

const never millis = math.MaxInt64

// erasedFor is for how long the id of an erased user is known as one.
const erasedFor = millis(30 * 86_400_000)

// valueKind says what a value is.
type valueKind uint8

const (
	// removed is kept until no earlier change can arrive and restore what was removed.
	removed valueKind = iota
	// present is the value of partUser for an inactive user, and of a role that never expires.
	present
	// expires is the value of a role, a block or an erasure with an end. A role whose end is not a valid time never expires.
	expires
	// status is the value of partSetting: the status that was set.
	status
)

// value is that of one part of a user. Two values are the same if they are equal.
type value struct {
	kind valueKind
	end  millis
	// text is a status, or an end that is not a valid time.
	text string
}

// The parts of a user. That of a role is + and its name.
const (
	// partErased: until when the user is known as erased; removed once the user exists again.
	partErased = "all"
	// partUser: whether the user is inactive.
	partUser = "user"
	// partAccess is always removed: all of the access is known up to this change.
	partAccess = "*"
	// partSetting: the status that was set, or until when it is disabled; removed if none was.
	partSetting = "set"
)

// known is the value of one part of a user, with the id of its last change.
type known struct {
	part  string
	id    string
	value value
}

// facts are the parts of one user. They are never changed in place, so that others may read them meanwhile.
type facts []known

// fact is a known part of a user, with the value that the change replaced, unless it does not say.
type fact struct {
	userID string
	known
	before    value
	hasBefore bool
}

func (f facts) find(part string) (known, bool) {
	for _, each := range f {
		if each.part == part {
			return each, true
		}
	}
	return known{}, false
}

func (f facts) idOf(part string) string {
	found, _ := f.find(part)
	return found.id
}

// with returns the facts with another one.
func (f facts) with(added known) facts {
	result := make(facts, 0, len(f)+1)
	for _, each := range f {
		if each.part != added.part {
			result = append(result, each)
		}
	}
	return append(result, added)
}

// parseMillis returns whether a text is a timestamp.
func parseMillis(text string) (millis, bool) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, false
	}
	return millis(at.Round(time.Millisecond).UnixMilli()), true
}

// settingOf returns the status that was set, or until when the user is disabled.
func settingOf(given string, until *string) value {
	if until != nil {
		if end, ok := parseMillis(*until); ok && end != 0 {
			return value{kind: expires, end: end}
		}
	}
	switch Status(given) {
	case Enabled:
		given = string(Enabled)
	case Disabled:
		given = string(Disabled)
	}
	return value{kind: status, text: given}
}

// roleUntil returns the value of a role.
func roleUntil(expiresAt *string) value {
	if expiresAt == nil {
		return value{kind: present}
	}
	if end, ok := parseMillis(*expiresAt); ok && end != 0 {
		return value{kind: expires, end: end}
	}
	return value{kind: expires, end: never, text: *expiresAt}
}

// erasedUntil returns until when the id of a user who was erased at this time is known as that of an erased user.
func erasedUntil(at millis) value {
	return value{kind: expires, end: at + erasedFor}
}

// timeOfChange returns the time in the id of a change, a ULID; 0 without an id.
func timeOfChange(id string) millis {
	if len(id) > 10 {
		id = id[:10]
	}
	var at millis
	for _, digit := range id {
		at = at*32 + millis(strings.IndexRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", digit))
	}
	return at
}

// endOf returns when the value expires.
func (v value) endOf() millis {
	if v.kind == expires {
		return v.end
	}
	return never
}

// add returns the facts with another one, unless a later one is known, and whether it is known, or continues what is known: roles
// that expire by the horizon may already have been dropped on either side.
func (f facts) add(added fact, horizon millis) (result facts, continues bool) {
	current, isKnown := f.find(added.part)
	if isKnown && current.id >= added.id {
		return f, true
	}
	return f.with(added.known), f.isContinued(current, isKnown, added, horizon)
}

func (f facts) isContinued(current known, isKnown bool, added fact, horizon millis) bool {
	whole, access := f.idOf(partErased), f.idOf(partAccess)
	if !added.hasBefore || added.isOutdated(whole, access) {
		return true
	}
	live := func(given value) value {
		if added.part != partSetting && given.endOf() <= horizon {
			return value{}
		}
		return given
	}
	if !isKnown || current.isOutdated(whole, access) {
		current.value = value{}
	}
	return live(added.before) == live(current.value)
}

// isOutdated reports whether the user was erased, or all of the access was read, after the change of this part.
func (k known) isOutdated(whole, access string) bool {
	return k.id < whole || k.id < access && k.part != partUser && k.part != partErased
}

// settingKind is what the explicit status is at a time.
type settingKind uint8

const (
	settingNone settingKind = iota
	settingEnabled
	settingDisabled
	settingLapsed
)

type heldRole struct {
	name  string
	value value
}

// findings are the state of a user at a time.
type findings struct {
	// erasedUntil is 0 for a user who is not erased.
	erasedUntil millis
	isInactive  bool
	setting     settingKind
	// stored is the setting as it is stored.
	stored value
	roles  []heldRole
	// nextEnd is when the next of these expires.
	nextEnd millis
	// newest is the id of the last change; empty once the order of changes has been dropped.
	newest string
}

func (f facts) evaluate(now millis) findings {
	found := findings{nextEnd: never}
	if len(f) == 0 {
		return found
	}
	whole, access := f.idOf(partErased), f.idOf(partAccess)
	for _, each := range f {
		if each.id > found.newest {
			found.newest = each.id
		}
		if each.value.kind != removed && !each.isOutdated(whole, access) {
			found.take(each, now)
		}
	}
	// A later change proves that the user exists again.
	if found.newest != whole {
		found.erasedUntil = 0
	}
	if len(found.roles) > 1 {
		sort.Slice(found.roles, func(i, j int) bool { return found.roles[i].name < found.roles[j].name })
	}
	return found
}

func (f *findings) take(each known, now millis) {
	end := each.value.endOf()
	if now < end && end < f.nextEnd {
		f.nextEnd = end
	}
	switch {
	case each.part == partUser:
		f.isInactive = true
	case each.part == partSetting:
		f.stored = each.value
		f.setting = settingAt(each.value, now)
	case end <= now:
	case each.part == partErased:
		f.erasedUntil = end
	default:
		f.roles = append(f.roles, heldRole{each.part[1:], each.value})
	}
}

func settingAt(stored value, now millis) settingKind {
	switch {
	case stored.kind == expires && stored.end <= now:
		return settingLapsed
	case stored.kind == status && stored.text == string(Enabled):
		return settingEnabled
	default:
		return settingDisabled
	}
}

// withoutOrder returns the facts without the order of changes, once no earlier change can arrive any more.
func (f facts) withoutOrder() facts {
	whole, access := f.idOf(partErased), f.idOf(partAccess)
	isFollowed := false
	for _, each := range f {
		isFollowed = isFollowed || each.id > whole
	}
	var result facts
	for _, each := range f {
		if each.value.kind != removed && !each.isOutdated(whole, access) && !(each.part == partErased && isFollowed) {
			result = append(result, known{part: each.part, value: each.value})
		}
	}
	return result
}

// The kinds of entries of a snapshot.
const (
	kindErased   = "erased"
	kindInactive = "inactive"
	kindAccess   = "access"
)

// digested returns the text that the digest of a kind of entry covers, if there is such an entry.
func (f facts) digested(kind, userID string, at millis) (string, bool) {
	found := f.evaluate(at)
	if kind == kindErased {
		return userID + "\n" + strconv.FormatInt(int64(found.erasedUntil), 10), found.erasedUntil > at
	}
	if found.erasedUntil != 0 {
		return "", false
	}
	if kind == kindInactive {
		return userID, found.isInactive
	}
	return found.digestedAccess(userID, at)
}

// digestedAccess omits roles that expire by a time, so that it does not depend on when either side drops an expired role.
func (f findings) digestedAccess(userID string, liveAt millis) (string, bool) {
	var live []string
	for _, role := range f.roles {
		switch {
		case role.value.kind == present:
			live = append(live, role.name+"=0")
		case role.value.end != never && role.value.end > liveAt:
			live = append(live, role.name+"="+strconv.FormatInt(int64(role.value.end), 10))
		}
	}
	if f.setting == settingNone && len(live) == 0 {
		return "", false
	}
	sort.Strings(live)
	stored := "false"
	switch {
	case f.stored.kind == expires:
		stored = strconv.FormatInt(int64(f.stored.end), 10)
	case f.stored.kind == status:
		stored = f.stored.text
	}
	return strings.Join(append([]string{userID, stored}, live...), "\n"), true
}
