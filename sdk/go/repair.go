package authservice

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"
)

const (
	maxUsersPerCheck = 100
	maxDoubts        = 1000
	// compareSoon: whatever hid one change may have hidden others, so the next comparison is at most this long after the previous
	// one.
	compareSoon = 10 * time.Minute
)

// A settler replaces what a repair has read, after the next complete poll, which has told of these users.
type settler func(seen map[string]bool)

// comparedRange is a digest of the user ids of one kind of entry after one id and through another; nil has all further ones.
type comparedRange struct {
	kind    string
	after   position
	through *string
	digest  string
}

// position is where the user ids of a range begin.
type position struct {
	after   string
	isAtEnd bool
}

func (r comparedRange) includes(userID string) bool {
	return !r.after.isAtEnd && userID > r.after.after && (r.through == nil || userID <= *r.through)
}

// comparison is one under way: its next page, and the user ids through which each kind has been compared.
type comparison struct {
	after   string
	reached map[string]position
	// differs says that a digest of the page differed, so that its entries are read.
	differs bool
}

// repair finds what differs from the service, and reads it again. The lock of the replica guards its members; it reads without.
type repair struct {
	caller    *caller
	reader    serviceReader
	knowledge *knowledge
	lock      *sync.RWMutex
	// report is called with a failure, or with the users whose data was replaced.
	report func(err error, userIDs []string)
	// reload reads the snapshot again.
	reload func()

	every time.Duration
	// doubts are the users to read again in their order, who count as erased until a time if the service does not know them.
	doubts orderedDoubts
	// refused are the ids of changes without a signature that were refused, met those of the current poll.
	refused, met map[string]bool
	// fresh are the users of those that came first with the current poll: an answer about them may be older.
	fresh       map[string]bool
	comparison  *comparison
	nextAt      time.Duration
	failures    int
	pausedUntil time.Duration
}

func newRepair(c *caller, knowledge *knowledge, lock *sync.RWMutex, every time.Duration, report func(error, []string), reload func()) *repair {
	r := &repair{
		caller:      c,
		reader:      serviceReader{c},
		knowledge:   knowledge,
		lock:        lock,
		report:      report,
		reload:      reload,
		every:       every,
		doubts:      newDoubts(),
		refused:     map[string]bool{},
		met:         map[string]bool{},
		fresh:       map[string]bool{},
		pausedUntil: -maxDuration,
	}
	r.nextAt = r.nextComparison()
	return r
}

func (r *repair) nextComparison() time.Duration {
	if r.every <= 0 {
		return maxDuration
	}
	return r.caller.clocks.monotonic() + jitter(r.every, r.caller.clocks.random)
}

// isBusy reports whether users or pages are left to read, so that the next poll should begin soon.
func (r *repair) isBusy() bool {
	isPaused := r.caller.clocks.monotonic() < r.pausedUntil
	return !isPaused && (r.doubts.len() > 0 || r.comparison != nil)
}

func (r *repair) doubt(userID string, erased value) {
	if r.doubts.len() == maxDoubts {
		r.reload()
	}
	r.doubts.set(userID, erased)
}

// doubtAll doubts the users of changes that do not continue what was known.
func (r *repair) doubtAll(changes []fact) {
	for _, change := range changes {
		r.doubt(change.userID, erasedUntil(timeOfChange(change.id)))
	}
	if len(changes) > 0 && r.every > 0 && r.nextAt < maxDuration {
		if soon := r.nextAt - r.every + compareSoon; soon < r.nextAt {
			r.nextAt = soon
		}
	}
}

// refuse doubts the users of changes that the service does not vouch for, once for each change.
func (r *repair) refuse(changes []feedChange) {
	for _, change := range changes {
		r.met[change.id] = true
		if r.refused[change.id] {
			continue
		}
		r.refused[change.id] = true
		if isUserID(change.userID) {
			// An unknown id may be that of an erased user.
			r.doubt(change.userID, erasedUntil(millis(r.caller.clocks.wall().UnixMilli())))
			r.fresh[change.userID] = true
		} else if change.action == "application.updated" {
			r.reload()
		}
	}
}

// compareNow begins a comparison with the next poll.
func (r *repair) compareNow() {
	if r.every > 0 {
		r.nextAt = -maxDuration
	}
}

// reset forgets all doubts, because everything has been read again.
func (r *repair) reset() {
	r.doubts = newDoubts()
	r.comparison = nil
	r.nextAt = r.nextComparison()
}

// read reads something to compare or replace, if it is time, and returns nil otherwise. For all users but those of the next complete
// poll, what was read is also the state after it.
func (r *repair) read(ctx context.Context) settler {
	read := r.next()
	if read == nil {
		return nil
	}
	settle, err := read(ctx)
	r.lock.Lock()
	defer r.lock.Unlock()
	if err != nil {
		r.report(err, nil)
		pause := backOff(time.Second, r.failures, retryAfterOf(err), r.caller.clocks.random)
		r.failures++
		r.pausedUntil = r.caller.clocks.monotonic() + pause
		return nil
	}
	r.failures = 0
	return func(seen map[string]bool) {
		r.lock.RLock()
		all := make(map[string]bool, len(seen)+len(r.fresh))
		for _, users := range []map[string]bool{seen, r.fresh} {
			for userID := range users {
				all[userID] = true
			}
		}
		r.lock.RUnlock()
		settle(all)
	}
}

// next returns what to read next, if it is time.
func (r *repair) next() func(context.Context) (settler, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	// What is pending comes again with each poll.
	r.refused, r.met, r.fresh = r.met, map[string]bool{}, map[string]bool{}
	now := r.caller.clocks.monotonic()
	if now < r.pausedUntil {
		return nil
	}
	if now >= r.nextAt {
		r.nextAt = maxDuration
		r.comparison = &comparison{reached: map[string]position{kindErased: {}, kindInactive: {}, kindAccess: {}}}
	}
	if asked := r.doubts.first(maxUsersPerCheck); len(asked) > 0 {
		return func(ctx context.Context) (settler, error) { return r.readDoubts(ctx, asked) }
	}
	if current := r.comparison; current != nil {
		return func(ctx context.Context) (settler, error) { return r.readPage(ctx, *current) }
	}
	return nil
}

func (r *repair) readDoubts(ctx context.Context, asked []string) (settler, error) {
	answers, err := checkAccess(ctx, r.caller, asked)
	if err != nil {
		return nil, err
	}
	return func(seen map[string]bool) {
		r.lock.Lock()
		defer r.lock.Unlock()
		var settled []string
		read := map[string]facts{}
		for _, answer := range answers {
			if !seen[answer.UserID] {
				settled = append(settled, answer.UserID)
				read[answer.UserID] = factsOf(answer, r.doubts.erased(answer.UserID))
			}
		}
		if len(settled) == 0 {
			return
		}
		r.knowledge.change(settled, func() {
			for userID, found := range read {
				r.knowledge.state.users[userID] = found
			}
		})
		for _, userID := range settled {
			r.doubts.remove(userID)
		}
		r.report(fmt.Errorf("authservice: read the data about %d users again", len(settled)), settled)
	}, nil
}

func (r *repair) readPage(ctx context.Context, current comparison) (settler, error) {
	target := pageTarget("access", snapshotPageSize, current.after)
	if !current.differs {
		target += "&digest=true"
	}
	body, err := r.reader.read(ctx, "access", target)
	if err != nil {
		return nil, err
	}
	if body.LiveAt == nil || body.Ranges == nil || body.RolloutPercent == nil || body.ApplicationVersion == nil {
		return nil, errIncomplete
	}
	liveAt, isTime := parseMillis(*body.LiveAt)
	if !isTime || body.Cursor != nil && *body.Cursor == current.after {
		return nil, errIncomplete
	}
	compared := pageComparison{liveAt: liveAt, theirs: map[string]map[string]facts{}}
	reached := map[string]position{}
	for kind, at := range current.reached {
		reached[kind] = at
	}
	for _, each := range body.Ranges {
		after, isKind := reached[each.Kind]
		if !isKind {
			return nil, errIncomplete
		}
		compared.ranges = append(compared.ranges, comparedRange{each.Kind, after, each.Through, each.Digest})
		compared.theirs[each.Kind] = map[string]facts{}
		reached[each.Kind] = position{after: orEmpty(each.Through), isAtEnd: each.Through == nil}
	}
	if current.differs {
		if err := compared.addEntries(body); err != nil {
			return nil, err
		}
	}
	var following *comparison
	if body.Cursor != nil {
		following = &comparison{after: *body.Cursor, reached: reached}
	}
	given := rollout{*body.RolloutPercent, *body.ApplicationVersion}
	return func(seen map[string]bool) { r.compare(current, following, compared, given, seen) }, nil
}

// compare compares a page with what is known, and doubts the users of whom the entries say something else.
func (r *repair) compare(current comparison, following *comparison, compared pageComparison, given rollout, seen map[string]bool) {
	var different []doubted
	isDifferent := false
	r.lock.RLock()
	if current.differs {
		different = compared.different(r.knowledge.state.users)
	} else {
		isDifferent = compared.isDifferent(r.knowledge.state.users)
	}
	r.lock.RUnlock()
	r.lock.Lock()
	defer r.lock.Unlock()
	r.knowledge.change(nil, func() { r.knowledge.state.addPage(page{rollouts: []rollout{given}}, 0) })
	if isDifferent {
		current.differs = true
		r.comparison = &current
		return
	}
	for _, each := range different {
		if !seen[each.userID] {
			r.doubt(each.userID, each.erased)
		}
	}
	r.comparison = following
	if following == nil {
		r.nextAt = r.nextComparison()
	}
}

// pageComparison is what a page of a comparison says.
type pageComparison struct {
	liveAt millis
	ranges []comparedRange
	// theirs are the entries of each kind by user id, if they were read.
	theirs map[string]map[string]facts
}

func (p pageComparison) addEntries(body *pageBody) error {
	for _, item := range body.Items {
		var entry struct{ Kind string }
		if decode(item, &entry) != nil {
			return errIncomplete
		}
		users := p.theirs[entry.Kind]
		if users == nil {
			continue
		}
		read, err := readEntry(item)
		if err != nil {
			return err
		}
		for _, each := range read {
			users[each.userID], _ = users[each.userID].add(each, 0)
		}
	}
	return nil
}

func (p pageComparison) isDifferent(users map[string]facts) bool {
	for _, each := range p.ranges {
		var own digest
		for userID, found := range users {
			if !each.includes(userID) {
				continue
			}
			if text, isEntry := found.digested(each.kind, userID, p.liveAt); isEntry {
				own.add(text)
			}
		}
		if own.String() != each.digest {
			return true
		}
	}
	return false
}

// doubted is a user about whom the entries of a page say something else, and until when they say that the user was erased.
type doubted struct {
	userID string
	erased value
}

func (p pageComparison) different(users map[string]facts) []doubted {
	var result []doubted
	for _, each := range p.ranges {
		theirs := p.theirs[each.kind]
		compare := func(userID string) {
			own, isOwn := users[userID].digested(each.kind, userID, p.liveAt)
			read, isRead := theirs[userID].digested(each.kind, userID, p.liveAt)
			if isOwn == isRead && (!isOwn || own == read) {
				return
			}
			// While a user is being erased, the snapshot still has other entries of the user.
			if each.kind == kindErased || users[userID].evaluate(p.liveAt).erasedUntil == 0 {
				erased := value{kind: expires, end: theirs[userID].evaluate(p.liveAt).erasedUntil}
				result = append(result, doubted{userID, erased})
			}
		}
		for userID := range users {
			if each.includes(userID) {
				compare(userID)
			}
		}
		for userID := range theirs {
			if _, isKnown := users[userID]; !isKnown && each.includes(userID) {
				compare(userID)
			}
		}
	}
	sort.Slice(result, func(i, j int) bool { return result[i].userID < result[j].userID })
	return result
}

// orderedDoubts are users in the order in which they were doubted.
type orderedDoubts struct {
	until map[string]value
	order []string
}

func newDoubts() orderedDoubts {
	return orderedDoubts{until: map[string]value{}}
}

func (d *orderedDoubts) len() int {
	return len(d.until)
}

func (d *orderedDoubts) set(userID string, erased value) {
	if _, isDoubted := d.until[userID]; !isDoubted {
		d.order = append(d.order, userID)
	}
	d.until[userID] = erased
}

func (d *orderedDoubts) erased(userID string) value {
	if found, isDoubted := d.until[userID]; isDoubted {
		return found
	}
	return value{kind: expires}
}

func (d *orderedDoubts) remove(userID string) {
	delete(d.until, userID)
	for i, each := range d.order {
		if each == userID {
			d.order = append(d.order[:i:i], d.order[i+1:]...)
			return
		}
	}
}

func (d *orderedDoubts) first(most int) []string {
	if len(d.order) < most {
		most = len(d.order)
	}
	return append([]string{}, d.order[:most]...)
}
