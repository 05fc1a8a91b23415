package authservice

import (
	"testing"
	"time"
)

// machine is one whose clocks a test sets.
type machine struct {
	wall      time.Time
	monotonic time.Duration
	// ahead moves only the clock that signs.
	ahead time.Duration
}

func (m *machine) clocks() clocks {
	return clocks{
		now:       func() time.Time { return m.wall.Add(m.ahead) },
		wall:      func() time.Time { return m.wall },
		moved:     func() time.Duration { return m.ahead },
		monotonic: func() time.Duration { return m.monotonic },
		random:    func() float64 { return 0.5 },
	}
}

func (m *machine) pass(wall, monotonic time.Duration) {
	m.wall, m.monotonic = m.wall.Add(wall), m.monotonic+monotonic
}

func millisOf(at time.Time) millis {
	return millis(at.UnixMilli())
}

func TestDataAgesByTheClockThatHasAdvancedFurther(t *testing.T) {
	for name, each := range map[string]struct{ wall, monotonic, age time.Duration }{
		"both":                              {10, 10, 10},
		"the wall clock was set back":       {-3600, 10, 10},
		"the monotonic clock stood still":   {3600, 10, 3600},
		"a stored time is not made younger": {0, 0, 0},
	} {
		m := &machine{wall: kitStart, monotonic: 50 * time.Second}
		clock := newServiceClock(m.clocks(), nil)
		m.pass(each.wall*time.Second, each.monotonic*time.Second)
		now, age := clock.now()
		if age != each.age*time.Second || now != millisOf(kitStart.Add(age)) {
			t.Errorf("%s: the data is %s old at %d", name, age, now)
		}
	}
}

func TestAStoredTimeAgesAcrossARestart(t *testing.T) {
	m := &machine{wall: kitStart}
	stored := &knownAt{at: kitStart.Add(-10*time.Second + 3*time.Second), ahead: 3 * time.Second}
	clock := newServiceClock(m.clocks(), stored)
	// Even if the wall clock is set back afterwards.
	m.pass(-time.Hour, time.Second)
	if now, age := clock.now(); age != 11*time.Second || now != millisOf(kitStart.Add(4*time.Second)) {
		t.Errorf("the data is %s old at %d", age, now)
	}
}

func TestAPollSetsTheAgeToWhenItWasSent(t *testing.T) {
	m := &machine{wall: kitStart}
	clock := newServiceClock(m.clocks(), nil)
	m.pass(time.Minute, time.Minute)
	asked := clock.ask()
	m.pass(2*time.Second, 2*time.Second)
	clock.set(asked, time.Time{})
	if _, age := clock.now(); age != 2*time.Second {
		t.Errorf("the data is %s old", age)
	}
}

func TestADateCorrectsTheClockOnlyAsFarAsItIsCertainlyWrong(t *testing.T) {
	m := &machine{wall: kitStart.Add(500 * time.Millisecond), ahead: time.Hour}
	clock := newServiceClock(m.clocks(), nil)
	for name, each := range map[string]struct{ date, ahead time.Duration }{
		"the same second": {0, 0},
		"ahead":           {5 * time.Second, 4500 * time.Millisecond},
		"less ahead":      {2 * time.Second, 2499 * time.Millisecond},
		"behind":          {-5 * time.Second, -4501 * time.Millisecond},
	} {
		clock.ahead = 0
		if name == "less ahead" {
			clock.ahead = 4500 * time.Millisecond
		}
		clock.set(clock.ask(), kitStart.Add(time.Hour+each.date))
		if clock.ahead != each.ahead {
			t.Errorf("%s: the service is %s ahead, not %s", name, clock.ahead, each.ahead)
		}
	}
	// Moving the clock that signs does not age the data.
	if now, age := clock.now(); age != 0 || now != millisOf(m.wall.Add(time.Hour+clock.ahead)) {
		t.Errorf("the data is %s old at %d", age, now)
	}
}

func TestAskedUsersAreRemembered(t *testing.T) {
	passed := time.Duration(0)
	asked := newAskedUsers(func() time.Duration { return passed })
	asked.remember("ada", true)
	asked.remember("ben", false)
	expect := func(userID string, exists, isKnown bool) {
		t.Helper()
		if found, known := asked.exists(userID); found != exists || known != isKnown {
			t.Errorf("%s exists: %v, known: %v", userID, found, known)
		}
	}
	passed = missingFor - 1
	expect("ada", true, true)
	expect("ben", false, true)
	passed = missingFor
	expect("ben", false, false)
	passed = existsFor - 1
	expect("ada", true, true)
	passed = existsFor
	expect("ada", false, false)
	for i := 0; i < maxAskedUsers; i++ {
		asked.remember(numberedUser(i), true)
	}
	expect(numberedUser(0), true, true)
	asked.remember("cy", true)
	// The user who was asked about least recently is forgotten.
	expect(numberedUser(0), true, true)
	expect(numberedUser(1), false, false)
	if len(asked.known) != maxAskedUsers || asked.order.Len() != maxAskedUsers {
		t.Errorf("%d users are remembered", len(asked.known))
	}
	asked.forget("cy")
	expect("cy", false, false)
	asked.forgetAll()
	expect(numberedUser(0), false, false)
}
