package authservice

import (
	"container/list"
	"sync"
	"time"
)

const (
	maxAskedUsers = 100_000
	// existsFor: the end of a user's existence is a change; this is only for one that was missed.
	existsFor = 24 * time.Hour
	// missingFor: the creation of a user is no change of an application.
	missingFor = time.Minute
)

// askedUsers remembers what the service has answered about the most recently asked ids of which the replica knows nothing.
type askedUsers struct {
	monotonic func() time.Duration

	mu sync.Mutex
	// order has the least recently used first.
	order *list.List
	known map[string]*list.Element
}

type askedUser struct {
	userID string
	exists bool
	until  time.Duration
}

func newAskedUsers(monotonic func() time.Duration) *askedUsers {
	return &askedUsers{monotonic: monotonic, order: list.New(), known: map[string]*list.Element{}}
}

// exists returns whether there is such a user, if the service was asked not too long ago.
func (a *askedUsers) exists(userID string) (exists, isKnown bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	element := a.known[userID]
	if element == nil {
		return false, false
	}
	user, _ := element.Value.(askedUser)
	if user.until <= a.monotonic() {
		return false, false
	}
	a.order.MoveToBack(element)
	return user.exists, true
}

func (a *askedUsers) remember(userID string, exists bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remove(a.known[userID])
	if len(a.known) >= maxAskedUsers {
		a.remove(a.order.Front())
	}
	duration := missingFor
	if exists {
		duration = existsFor
	}
	a.known[userID] = a.order.PushBack(askedUser{userID, exists, a.monotonic() + duration})
}

func (a *askedUsers) remove(element *list.Element) {
	if element != nil {
		user, _ := a.order.Remove(element).(askedUser)
		delete(a.known, user.userID)
	}
}

// forget forgets a user who has changed.
func (a *askedUsers) forget(userID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remove(a.known[userID])
}

func (a *askedUsers) forgetAll() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.order.Init()
	a.known = map[string]*list.Element{}
}
