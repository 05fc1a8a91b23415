package authservice

import "time"

// knownAt is the service's time of the last complete poll, and by how much it is ahead of this machine's.
type knownAt struct {
	at    time.Time
	ahead time.Duration
}

// serviceClock estimates the service's time, and how much has passed since the last complete poll. It starts with a stored time
// and is set by the dates of responses.
//
// It uses whichever of two clocks has advanced further: the wall clock can be set back, and the monotonic one may stop while the
// machine sleeps. Moving the clock that signs ahead of this machine's time, as tests do, does not age the data.
type serviceClock struct {
	clocks    clocks
	ahead     time.Duration
	wall      time.Time
	monotonic time.Duration
}

func newServiceClock(clocks clocks, stored *knownAt) *serviceClock {
	machine := clocks.wall()
	if stored == nil {
		stored = &knownAt{at: machine}
	}
	clock := &serviceClock{clocks: clocks, ahead: stored.ahead, wall: stored.at.Add(-stored.ahead), monotonic: clocks.monotonic()}
	if passed := machine.Sub(clock.wall); passed > 0 {
		clock.monotonic -= passed
	}
	return clock
}

// now returns the service's time, and the age of the data.
func (c *serviceClock) now() (millis, time.Duration) {
	passed := c.clocks.wall().Sub(c.wall)
	if monotonic := c.clocks.monotonic() - c.monotonic; monotonic > passed {
		passed = monotonic
	}
	return millis(c.wall.Add(c.ahead + c.clocks.moved() + passed).UnixMilli()), passed
}

// asking is the start of a poll.
type asking struct {
	at        time.Time
	monotonic time.Duration
}

func (c *serviceClock) ask() asking {
	return asking{c.clocks.wall(), c.clocks.monotonic()}
}

// set takes the date of the last response of a complete poll; the zero time if it has none.
func (c *serviceClock) set(asked asking, date time.Time) {
	if !date.IsZero() {
		if found := date.Sub(c.clocks.now()); found > c.ahead {
			c.ahead = found
		}
		// A date has whole seconds. This machine's clock is finer, so it is corrected only as far as it is certainly wrong.
		if latest := date.Add(999*time.Millisecond - c.clocks.moved()).Sub(asked.at); latest < c.ahead {
			c.ahead = latest
		}
	}
	c.wall, c.monotonic = asked.at, asked.monotonic
}

func (c *serviceClock) knownAt() knownAt {
	return knownAt{c.wall.Add(c.ahead), c.ahead}
}
