package authservice

import "sync"

// deferred is something that is settled once.
type deferred struct {
	once sync.Once
	done chan struct{}
	// err is set before done is closed.
	err error
}

func newDeferred() *deferred {
	return &deferred{done: make(chan struct{})}
}

func (d *deferred) settle(err error) {
	d.once.Do(func() {
		d.err = err
		close(d.done)
	})
}

// loading is which snapshot is being loaded, if any, and who waits for it.
type loading struct {
	appID string
	// snapshot is nil while the replica follows changes. After a failed poll, the next one continues with the same snapshot.
	snapshot *snapshot
	resynced *deferred
}

// newLoading begins with the first snapshot, unless the replica already has data.
func newLoading(appID string, hasData bool) *loading {
	l := &loading{appID: appID}
	if !hasData {
		l.restart()
	}
	return l
}

// begin begins to load a snapshot, unless one is being loaded.
func (l *loading) begin() *snapshot {
	if l.snapshot == nil {
		l.restart()
	}
	return l.snapshot
}

// restart begins to load a new snapshot instead of the current one.
func (l *loading) restart() {
	l.snapshot = &snapshot{state: newReplicaState(l.appID)}
}

// resync restarts; what it returns is settled when a snapshot that was begun from now on decides.
func (l *loading) resync() *deferred {
	l.restart()
	if l.resynced == nil {
		l.resynced = newDeferred()
	}
	return l.resynced
}

// finish ends with a snapshot that decides; false if another one was begun meanwhile, which is loaded next.
func (l *loading) finish(decides *snapshot) bool {
	if l.snapshot != decides {
		return false
	}
	l.snapshot = nil
	l.settle(nil)
	return true
}

// settle ends what resync has returned.
func (l *loading) settle(err error) {
	if l.resynced != nil {
		l.resynced.settle(err)
		l.resynced = nil
	}
}
