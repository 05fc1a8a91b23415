package authservice

import "time"

const (
	// horizon is more than two clocks differ, once the service's time is estimated, and a poll takes.
	horizon = millis(10_000)
	// minReportDelay: expiries within this time are reported together.
	minReportDelay = 100 * time.Millisecond
)

// addPage adds a page that was read and checked; cannot fail. It returns the changes that do not continue what was known.
func (s *replicaState) addPage(added page, now millis) []fact {
	for _, each := range added.rollouts {
		if each.Version >= s.rollout.Version {
			s.rollout = each
		}
	}
	var broken []fact
	for _, each := range added.facts {
		result, continues := s.users[each.userID].add(each, now+horizon)
		s.users[each.userID] = result
		if !continues {
			broken = append(broken, each)
		}
	}
	return broken
}

// knowledge is the current data of a replica. It tells the users whose decision has changed.
type knowledge struct {
	// state is nil until something was loaded.
	state *replicaState
	// reportAt is when reportExpired is due, by the monotonic clock.
	reportAt time.Duration
	clock    *serviceClock
	tell     func(ReplicaChange)
	// checks are when users have to be evaluated again.
	checks map[string]millis
	// ordered are the users whose facts have the order of changes.
	ordered map[string]bool
}

func newKnowledge(clock *serviceClock, tell func(ReplicaChange)) *knowledge {
	return &knowledge{reportAt: maxDuration, clock: clock, tell: tell, checks: map[string]millis{}, ordered: map[string]bool{}}
}

const maxDuration = time.Duration(never)

// change runs a step that may change the decisions about these users.
func (k *knowledge) change(userIDs []string, step func()) {
	// Reports expiries up to now first, because the step is compared with the current decisions.
	k.reportExpired()
	now, _ := k.clock.now()
	users := unique(userIDs)
	state := k.state
	if state == nil {
		step()
		k.watch(users)
		return
	}
	percent := state.rollout.Percent
	before := make([]Decision, len(users))
	for i, userID := range users {
		before[i] = state.decide(userID, now, 0)
	}
	step()
	k.watch(users)
	if percent != k.state.rollout.Percent {
		k.tell(ReplicaChange{All: true})
		return
	}
	var changed []string
	for i, userID := range users {
		if !before[i].isSame(k.state.decide(userID, now, 0)) {
			changed = append(changed, userID)
		}
	}
	k.tellUsers(changed)
}

// settle drops the order of changes after a complete poll, except of the users of whom it told something. What preceded that of the
// others has a number that the cursor has passed, so it never comes again.
func (k *knowledge) settle(seen map[string]bool) {
	var settled []string
	for userID := range k.ordered {
		if !seen[userID] {
			settled = append(settled, userID)
			delete(k.ordered, userID)
			k.state.users[userID] = k.state.users[userID].withoutOrder()
		}
	}
	if len(settled) > 0 {
		k.watch(settled)
	}
}

// reportExpired reports the users whose block, role or erasure has expired.
func (k *knowledge) reportExpired() {
	now, _ := k.clock.now()
	var due, changed []string
	for userID, at := range k.checks {
		if at > now {
			continue
		}
		due = append(due, userID)
		if !k.state.decide(userID, at-1, 0).isSame(k.state.decide(userID, now, 0)) {
			changed = append(changed, userID)
		}
	}
	k.watch(due)
	k.tellUsers(changed)
}

func (k *knowledge) tellUsers(userIDs []string) {
	if len(userIDs) > 0 {
		k.tell(ReplicaChange{UserIDs: userIDs})
	}
}

// watch notes when users have to be evaluated again.
func (k *knowledge) watch(userIDs []string) {
	now, _ := k.clock.now()
	for _, userID := range userIDs {
		if at := k.nextCheck(userID, now); at != never {
			k.checks[userID] = at
		} else {
			delete(k.checks, userID)
		}
	}
	following := never
	for _, at := range k.checks {
		if at < following {
			following = at
		}
	}
	if following == never {
		k.reportAt = maxDuration
		return
	}
	delay := minReportDelay
	if left := following - now; left > millis(minReportDelay/time.Millisecond) {
		delay = time.Duration(left) * time.Millisecond
	}
	k.reportAt = k.clock.clocks.monotonic() + delay
}

// nextCheck returns when to evaluate a user again, and drops data that is no longer needed.
func (k *knowledge) nextCheck(userID string, now millis) millis {
	found := k.state.users[userID].evaluate(now)
	if found.newest != "" {
		k.ordered[userID] = true
	} else if found.erasedUntil == 0 && !found.isInactive && found.setting == settingNone && len(found.roles) == 0 {
		delete(k.state.users, userID)
	}
	return found.nextEnd
}

func unique(userIDs []string) []string {
	seen := make(map[string]bool, len(userIDs))
	var result []string
	for _, userID := range userIDs {
		if !seen[userID] {
			seen[userID] = true
			result = append(result, userID)
		}
	}
	return result
}
