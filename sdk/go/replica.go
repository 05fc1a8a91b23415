package authservice

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrReplicaClosed means that the replica is closed.
var ErrReplicaClosed = errors.New("authservice: the replica is closed")

// A Replica is an in-memory copy that decides about an application's users and follows changes. It serves any number of goroutines.
type Replica struct {
	core   *replicaCore
	cancel context.CancelFunc
	live   sync.WaitGroup
	// polls and reminds end the pauses of the goroutines.
	polls, reminds chan struct{}
}

// OpenReplica loads all non-default data of the client's application and follows changes, to decide locally, until it is closed.
//
// It returns as soon as the replica can decide: immediately with a valid file, otherwise with the complete snapshot. It fails if
// that takes longer than the StartTimeout or until the context ends, and immediately if the key is rejected.
func OpenReplica(ctx context.Context, client *Client, options ReplicaOptions) (*Replica, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	core, err := newReplicaCore(ctx, client, options, fileSystem)
	if err != nil {
		return nil, err
	}
	living, cancel := context.WithCancel(context.Background())
	r := &Replica{core: core, cancel: cancel, polls: make(chan struct{}, 1), reminds: make(chan struct{}, 1)}
	core.wake = r.wake
	r.live.Add(2)
	go r.poll(living)
	go r.remind(living)
	if core.hasData() {
		return r, nil
	}
	if err := r.WaitSynchronized(ctx); err != nil {
		// Nothing was read that closing could fail to write.
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Replica) wake() {
	for _, each := range []chan struct{}{r.polls, r.reminds} {
		select {
		case each <- struct{}{}:
		default:
		}
	}
}

func (r *Replica) poll(ctx context.Context) {
	defer r.live.Done()
	for !r.core.hasEnded() {
		until := time.Now().Add(r.core.poll(ctx))
		for !r.core.isDue() && time.Now().Before(until) {
			rest(ctx, time.Until(until), r.polls)
		}
	}
}

func (r *Replica) remind(ctx context.Context) {
	defer r.live.Done()
	for ctx.Err() == nil {
		rest(ctx, r.core.remind(), r.reminds)
	}
	r.core.remind()
}

// rest waits until the time is over, the goroutine is woken, or the context ends.
func rest(ctx context.Context, pause time.Duration, woken <-chan struct{}) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-woken:
	case <-ctx.Done():
	}
}

// Check decides without a request. The option Unknown decides about ids of which the replica knows nothing.
func (r *Replica) Check(userID string) Decision {
	return r.core.check(userID)
}

// Decide decides like Check, but asks the service where the options say so: with stale data and AskWhenStale, and about an unknown
// id with AskWhenUnknown. It returns the error of the client if the service then does not answer.
func (r *Replica) Decide(ctx context.Context, userID string) (Decision, error) {
	return r.core.decide(ctx, userID)
}

// WaitSynchronized waits until the replica has caught up with the service for the first time; with a file it can decide earlier.
func (r *Replica) WaitSynchronized(ctx context.Context) error {
	return wait(ctx, r.core.synchronized)
}

// Resync reads the whole snapshot again, and waits until it decides, together with the changes since. After a failure the replica
// tries again.
func (r *Replica) Resync(ctx context.Context) error {
	resynced, err := r.core.resync()
	if err != nil {
		return err
	}
	return wait(ctx, resynced)
}

func wait(ctx context.Context, settled *deferred) error {
	select {
	case <-settled.done:
		return settled.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Age returns the age of the data, for telemetry: the time since the sending of the last request that found nothing more to read.
func (r *Replica) Age() time.Duration {
	r.core.mu.RLock()
	defer r.core.mu.RUnlock()
	_, age := r.core.clock.now()
	return age
}

// Close stops following changes, waits for the callbacks, so that it must not be called by one, and writes the file; it returns the
// error of that. Check decides by the last data for as long as allowed. A second call does nothing.
func (r *Replica) Close() error {
	r.core.end()
	r.cancel()
	r.live.Wait()
	return r.core.save()
}
