package authservice

import (
	"errors"
	"time"
)

// WhenStale says what a replica does when its data is older than allowed.
type WhenStale int

// What a replica does when its data is older than allowed.
const (
	// AskWhenStale lets Decide ask the service, while Check denies everyone.
	AskWhenStale WhenStale = iota
	// DenyWhenStale denies everyone.
	DenyWhenStale
	// GoOnWhenStale decides by the last data, unless the service has rejected the key.
	GoOnWhenStale
)

// WhenUnknown says what a replica does with an id of which it has no data: that of an untouched user, or a mistyped one.
type WhenUnknown int

// What a replica does with an id of which it has no data.
const (
	// DefaultWhenUnknown decides as for an untouched user, so it lets a mistyped id in.
	DefaultWhenUnknown WhenUnknown = iota
	// AskWhenUnknown lets Decide ask the service once, while Check denies until then. Recommended.
	AskWhenUnknown
	// DenyWhenUnknown denies.
	DenyWhenUnknown
)

// ReplicaOptions are the limits of a [Replica], and its callbacks.
type ReplicaOptions struct {
	// Poll is how often the replica asks for changes, ± 20 %; 5 seconds by default.
	Poll time.Duration
	// MaxStaleness is the age up to which the data decides; a minute by default.
	MaxStaleness time.Duration
	// WhenStale says what happens beyond that age.
	WhenStale WhenStale
	// Unknown says what happens with an id of which nothing is known.
	Unknown WhenUnknown
	// Verify is how often all data is compared with the service's; an hour by default, never if it is negative.
	Verify time.Duration
	// File is the path at which the data is kept for the next start: for one application and one process at a time. Empty for none.
	File string
	// StartTimeout is how long the first load may take; a minute by default.
	StartTimeout time.Duration
	// OnChange gets the users whose decision has changed. An error is reported to OnError.
	OnChange func(ReplicaChange) error
	// OnError gets each failure; the replica recovers by itself. Both are called in one goroutine, one call after the other.
	OnError func(ReplicaFailure)
}

// A ReplicaChange has the users whose decision has changed.
type ReplicaChange struct {
	// All says that all users may be concerned, because the rollout was changed.
	All bool
	// UserIDs are the users otherwise.
	UserIDs []string
}

// A ReplicaFailure is a failure, or wrong data that was found.
type ReplicaFailure struct {
	// During is poll, repair, file or on_change.
	During string
	// Err is what failed.
	Err error
	// UserIDs are the users whose data was read again.
	UserIDs []string
}

func (o ReplicaOptions) withDefaults() (ReplicaOptions, error) {
	for _, each := range []struct {
		duration  *time.Duration
		byDefault time.Duration
	}{
		{&o.Poll, 5 * time.Second},
		{&o.MaxStaleness, time.Minute},
		{&o.StartTimeout, time.Minute},
	} {
		if *each.duration == 0 {
			*each.duration = each.byDefault
		}
		if *each.duration < 0 {
			return o, errors.New("authservice: Poll, MaxStaleness and StartTimeout of a replica must be positive")
		}
	}
	if o.Verify == 0 {
		o.Verify = time.Hour
	}
	if o.WhenStale < AskWhenStale || o.WhenStale > GoOnWhenStale || o.Unknown < DefaultWhenUnknown || o.Unknown > DenyWhenUnknown {
		return o, errors.New("authservice: WhenStale and Unknown of a replica must be one of their constants")
	}
	return o, nil
}
