package authservice

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

const (
	saveEvery = time.Minute
	// pagesOfChanges: a page of a snapshot takes about as long as so many pages of changes.
	pagesOfChanges = 5
	// fewestPages of changes are always followed.
	fewestPages = 50
	// busyPoll is the pause while something is left to repair or to load.
	busyPoll = time.Second
)

// replicaCore is a replica without its goroutines, so that tests can let it live in virtual time. One goroutine calls poll, another
// one remind, any others check and decide.
type replicaCore struct {
	client  *Client
	caller  *caller
	options ReplicaOptions
	key     Key
	reader  serviceReader
	files   fileStore
	asked   *askedUsers
	// synchronized is settled with the first complete poll, or when the first load is given up.
	synchronized *deferred
	// wake ends the pauses of both goroutines.
	wake        func()
	startsUntil time.Duration

	// mu guards everything below. No request is sent while it is held.
	mu        sync.RWMutex
	clock     *serviceClock
	knowledge *knowledge
	health    *pollHealth
	loading   *loading
	repair    *repair
	savedAt   time.Duration
	isSaved   bool
	events    []event
	isEnded   bool
	// isWhole says whether the last poll was complete, so that the next one begins with the first change that has no number.
	isWhole bool
	// isWoken says that the next poll should begin at once.
	isWoken bool
}

// event is a change or a failure to tell the application.
type event struct {
	change  *ReplicaChange
	failure *ReplicaFailure
}

// newReplicaCore reads the key and the file.
func newReplicaCore(ctx context.Context, client *Client, options ReplicaOptions, files fileStore) (*replicaCore, error) {
	limited, cancel := context.WithTimeout(ctx, options.StartTimeout)
	defer cancel()
	key, failure := client.caller.key.read(limited)
	if failure != nil {
		return nil, failure
	}
	c := &replicaCore{
		client:       client,
		caller:       client.caller,
		options:      options,
		key:          key,
		reader:       serviceReader{client.caller},
		files:        files,
		asked:        newAskedUsers(client.caller.clocks.monotonic),
		synchronized: newDeferred(),
		wake:         func() {},
		startsUntil:  client.caller.clocks.monotonic() + options.StartTimeout,
		savedAt:      -maxDuration,
		isSaved:      true,
	}
	stored := c.readFile()
	var at *knownAt
	if stored != nil {
		at = &stored.knownAt
	}
	c.clock = newServiceClock(c.caller.clocks, at)
	c.knowledge = newKnowledge(c.clock, func(change ReplicaChange) { c.events = append(c.events, event{change: &change}) })
	c.health = &pollHealth{random: c.caller.clocks.random, isRefused: stored != nil && stored.isRefused}
	c.loading = newLoading(key.AppID(), stored != nil)
	c.repair = newRepair(c.caller, c.knowledge, &c.mu, options.Verify, c.reportRepair, func() { c.loading.begin() })
	if stored != nil {
		c.replaceState(stored.state)
		c.repair.compareNow()
	}
	return c, nil
}

// readFile returns nil if there is no usable file: then the snapshot is read.
func (c *replicaCore) readFile() *storedReplica {
	if c.options.File == "" {
		return nil
	}
	content, err := c.files.read(c.options.File)
	if content == nil && err == nil {
		return nil
	}
	var stored *storedReplica
	if err == nil {
		stored, err = decodeReplica(content, c.key, c.caller.origin)
	}
	if err != nil {
		c.report("file", err, nil)
		return nil
	}
	return stored
}

func (c *replicaCore) hasData() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.knowledge.state != nil
}

// isDue reports whether the next poll should begin at once, or the polling ends.
func (c *replicaCore) isDue() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.isWoken || c.isEnded
}

func (c *replicaCore) hasEnded() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.isEnded
}

// poll polls once, and returns how long to wait for the next poll.
func (c *replicaCore) poll(ctx context.Context) time.Duration {
	c.mu.Lock()
	c.isWoken = false
	c.mu.Unlock()
	err := c.catchUp(ctx)
	c.mu.Lock()
	if c.isEnded {
		c.mu.Unlock()
		return 0
	}
	var wait time.Duration
	if err == nil {
		wait = c.afterSuccess()
	} else {
		c.report("poll", err, nil)
		wait = c.afterFailure(err)
	}
	isDue := c.caller.clocks.monotonic()-saveEvery >= c.savedAt
	c.mu.Unlock()
	if isDue {
		if err := c.save(); err != nil {
			c.mu.Lock()
			c.report("file", err, nil)
			c.mu.Unlock()
		}
	}
	c.wake()
	return wait
}

// remind reports what expires, calls the application, and returns how long to wait for the next time.
func (c *replicaCore) remind() time.Duration {
	for {
		c.mu.Lock()
		if c.knowledge.state != nil && c.caller.clocks.monotonic() >= c.knowledge.reportAt {
			c.knowledge.reportExpired()
		}
		if len(c.events) == 0 {
			defer c.mu.Unlock()
			if c.knowledge.reportAt == maxDuration {
				return maxDuration
			}
			return c.knowledge.reportAt - c.caller.clocks.monotonic()
		}
		next := c.events[0]
		c.events = c.events[1:]
		c.mu.Unlock()
		c.deliver(next)
	}
}

func (c *replicaCore) deliver(next event) {
	switch {
	case next.failure != nil:
		if c.options.OnError != nil {
			c.options.OnError(*next.failure)
		}
	case c.options.OnChange != nil:
		if err := c.options.OnChange(*next.change); err != nil {
			c.mu.Lock()
			c.report("on_change", err, nil)
			c.mu.Unlock()
		}
	}
}

// save writes the file, unless it already has what is known.
func (c *replicaCore) save() error {
	c.mu.Lock()
	state := c.knowledge.state
	if c.options.File == "" || state == nil || c.isSaved {
		c.mu.Unlock()
		return nil
	}
	c.isSaved, c.savedAt = true, c.caller.clocks.monotonic()
	head := &replicaState{appID: state.appID, rollout: state.rollout, cursor: state.cursor}
	stored := storedReplica{head, c.clock.knownAt(), c.health.isRefused}
	users := state.list()
	c.mu.Unlock()
	content, err := encodeReplica(stored, users, c.key, c.caller.origin)
	if err == nil {
		err = c.files.write(c.options.File, content)
	}
	if err != nil {
		// The next time tries again.
		c.mu.Lock()
		c.isSaved = false
		c.mu.Unlock()
	}
	return err
}

func (c *replicaCore) catchUp(ctx context.Context) error {
	c.mu.RLock()
	loading, mayRepair := c.loading.snapshot, c.health.failures == 0
	c.mu.RUnlock()
	if loading != nil {
		return c.load(ctx, loading)
	}
	return c.follow(ctx, mayRepair)
}

// load reads a snapshot and the changes since, and only then replaces the data: until then, the known data decides.
func (c *replicaCore) load(ctx context.Context, loading *snapshot) error {
	if err := loading.load(ctx, c.reader); err != nil {
		return err
	}
	state := loading.state
	// The first poll after a snapshot leaves nothing out; one that continues after a failure may.
	c.mu.Lock()
	c.isWhole = !loading.isFollowed
	c.mu.Unlock()
	loading.isFollowed = true
	found, err := c.applyChanges(ctx, state.cursor, math.MaxInt, func(found page, cursor string) {
		state.addPage(found, 0)
		state.cursor = cursor
		loading.unsigned = append(loading.unsigned, found.unsigned...)
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked.forgetAll()
	c.repair.reset()
	c.replaceState(state)
	c.knowledge.settle(c.openOf(found))
	if c.loading.finish(loading) {
		c.repair.refuse(loading.unsigned)
	}
	return nil
}

func (c *replicaCore) replaceState(state *replicaState) {
	var userIDs []string
	if c.knowledge.state != nil {
		for userID := range c.knowledge.state.users {
			userIDs = append(userIDs, userID)
		}
	}
	for userID := range state.users {
		userIDs = append(userIDs, userID)
	}
	c.knowledge.change(userIDs, func() { c.knowledge.state = state })
}

// follow applies the changes to the known data, page by page, then what a repair has read before them.
func (c *replicaCore) follow(ctx context.Context, mayRepair bool) error {
	var settle settler
	if mayRepair {
		settle = c.repair.read(ctx)
	}
	c.mu.RLock()
	state := c.knowledge.state
	cursor := state.cursor
	// How many pages of changes take as long as a snapshot of as much as is known.
	most := pagesOfChanges * ((len(state.users) + snapshotPageSize - 1) / snapshotPageSize)
	c.mu.RUnlock()
	if most < fewestPages {
		most = fewestPages
	}
	found, err := c.applyChanges(ctx, cursor, most, func(found page, cursor string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		userIDs := make([]string, len(found.facts))
		for i, each := range found.facts {
			userIDs[i] = each.userID
		}
		c.repair.refuse(found.unsigned)
		now, _ := c.clock.now()
		c.knowledge.change(userIDs, func() { c.repair.doubtAll(state.addPage(found, now)) })
		state.cursor = cursor
		for _, userID := range userIDs {
			c.asked.forget(userID)
		}
	})
	if err != nil {
		return err
	}
	c.mu.Lock()
	if !found.isComplete {
		loading := c.loading.begin()
		c.mu.Unlock()
		return c.load(ctx, loading)
	}
	open := c.openOf(found)
	c.knowledge.settle(open)
	c.mu.Unlock()
	if settle != nil {
		settle(open)
	}
	return nil
}

// openOf returns the users of whom earlier changes may come once more: what a poll leaves out is of users whose order is known.
func (c *replicaCore) openOf(found poll) map[string]bool {
	if !found.omits {
		return found.seen
	}
	open := make(map[string]bool, len(found.seen)+len(c.knowledge.ordered))
	for _, users := range []map[string]bool{found.seen, c.knowledge.ordered} {
		for userID := range users {
			open[userID] = true
		}
	}
	return open
}

// applyChanges applies the changes after a cursor, and notes how current they are, unless it gives up.
func (c *replicaCore) applyChanges(ctx context.Context, cursor string, most int, apply func(page, string)) (poll, error) {
	c.mu.Lock()
	asked, wasWhole := c.clock.ask(), c.isWhole
	c.isWhole = false
	c.mu.Unlock()
	found, err := c.reader.follow(ctx, cursor, func(found page, cursor string) {
		for _, change := range found.unsigned {
			c.asked.forget(change.userID)
		}
		apply(found, cursor)
	}, most)
	if err == nil && found.isComplete {
		c.mu.Lock()
		c.clock.set(asked, found.date)
		c.isWhole = true
		c.mu.Unlock()
	}
	found.omits = found.omits || !wasWhole
	return found, err
}

func (c *replicaCore) afterSuccess() time.Duration {
	c.health.succeed()
	c.isSaved = false
	c.synchronized.settle(nil)
	random := c.caller.clocks.random
	wait := jitter(c.options.Poll, random)
	if c.repair.isBusy() || c.loading.snapshot != nil {
		if soon := jitter(busyPoll, random); soon < wait {
			return soon
		}
	}
	return wait
}

func (c *replicaCore) afterFailure(err error) time.Duration {
	var failure *Error
	isAnswer := errors.As(err, &failure)
	code := codeOf(err)
	switch code {
	case "signature_mismatch", "key_revoked", "key_expired", "scope_missing", "address_not_allowed":
		// These reject the key itself. Others can be caused by a wrong clock or by a request altered on the way.
		c.health.isRefused = true
		c.isSaved = false
	}
	// The cursor has expired or is invalid, or a response cannot be parsed.
	if code == "cursor_expired" || code == "invalid_request" || !isAnswer {
		c.loading.restart()
	}
	if c.knowledge.state == nil {
		return c.afterFailedStart(err)
	}
	// It may have expired for all replicas at the same time; until the reload, the known data decides.
	if code == "cursor_expired" {
		most := c.options.MaxStaleness / 2
		if most > maxBackOff {
			most = maxBackOff
		}
		return time.Duration(c.caller.clocks.random() * float64(most))
	}
	return c.health.backOff(c.options.Poll, retryAfterOf(err))
}

// afterFailedStart: nothing can decide before the first load, so it is given up if the key is rejected or it has taken too long.
func (c *replicaCore) afterFailedStart(err error) time.Duration {
	left := c.startsUntil - c.caller.clocks.monotonic()
	if !c.health.isRefused && left > 0 {
		if pause := c.health.backOff(time.Second, retryAfterOf(err)); pause < left {
			return pause
		}
		return left
	}
	c.synchronized.settle(err)
	c.isEnded = true
	return 0
}

// check decides without a request.
func (c *replicaCore) check(userID string) Decision {
	c.mu.RLock()
	defer c.mu.RUnlock()
	now, age := c.clock.now()
	if age > c.options.MaxStaleness {
		if c.health.isRefused {
			return noDecision(userID, KeyRefused, age)
		}
		if c.options.WhenStale != GoOnWhenStale {
			return noDecision(userID, TooOld, age)
		}
	}
	state := c.knowledge.state
	if c.options.Unknown != DefaultWhenUnknown && isUserID(userID) {
		if _, hasFacts := state.users[userID]; !hasFacts {
			switch exists, isKnown := c.asked.exists(userID); {
			case !isKnown:
				return noDecision(userID, NothingKnown, age)
			case !exists:
				return noDecision(userID, NoUser, age)
			}
		}
	}
	return state.decide(userID, now, age)
}

// decide decides like check, but asks the service where the options say so.
func (c *replicaCore) decide(ctx context.Context, userID string) (Decision, error) {
	decision := c.check(userID)
	switch {
	case decision.Code == NothingKnown && c.options.Unknown == AskWhenUnknown:
		return c.askAboutUnknown(ctx, userID)
	case c.options.WhenStale == AskWhenStale && (decision.Code == TooOld || decision.Code == KeyRefused):
		return decideBy(ctx, c.client, userID)
	default:
		return decision, nil
	}
}

func (c *replicaCore) askAboutUnknown(ctx context.Context, userID string) (Decision, error) {
	decision, err := decideBy(ctx, c.client, userID)
	if err != nil {
		return Decision{}, err
	}
	isDefault := decision.DecidedBy == "default" || decision.DecidedBy == "rollout"
	switch {
	case decision.Code != "":
		c.asked.remember(userID, false)
	case isDefault && len(decision.Roles) == 0:
		c.asked.remember(userID, true)
	default:
		// Unless a change arrives that explains it, an entry of this user has been lost.
		c.mu.Lock()
		c.repair.doubt(userID, value{kind: expires})
		c.mu.Unlock()
	}
	return decision, nil
}

// resync reads the whole snapshot again; settled when it decides, together with the changes since.
func (c *replicaCore) resync() (*deferred, error) {
	c.mu.Lock()
	if c.isEnded {
		c.mu.Unlock()
		return nil, ErrReplicaClosed
	}
	resynced := c.loading.resync()
	c.isWoken = true
	c.mu.Unlock()
	c.wake()
	return resynced, nil
}

// end ends both goroutines.
func (c *replicaCore) end() {
	c.mu.Lock()
	c.isEnded = true
	c.synchronized.settle(ErrReplicaClosed)
	c.loading.settle(ErrReplicaClosed)
	c.mu.Unlock()
	c.wake()
}

// report reports a failure to the application.
func (c *replicaCore) report(during string, err error, userIDs []string) {
	c.events = append(c.events, event{failure: &ReplicaFailure{during, err, userIDs}})
}

func (c *replicaCore) reportRepair(err error, userIDs []string) {
	if c.isEnded {
		return
	}
	if userIDs != nil {
		// So that a restart does not bring back what was wrong.
		c.savedAt = -maxDuration
	}
	c.report("repair", err, userIDs)
}
