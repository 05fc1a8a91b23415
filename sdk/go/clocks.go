package authservice

import (
	"context"
	"math/rand"
	"time"
)

// clocks are the clocks and the random source of a client, which tests replace.
type clocks struct {
	// now is the time by which requests are signed and blocks expire.
	now func() time.Time
	// wall is the time of this machine.
	wall func() time.Time
	// moved is by how much now is ahead of it.
	moved     func() time.Duration
	monotonic func() time.Duration
	// random returns a number from 0 to below 1.
	random func() float64
	// sleep waits, and returns the error of the context if that ends first.
	sleep func(ctx context.Context, duration time.Duration) error
}

func systemClocks(now func() time.Time) clocks {
	start := time.Now()
	wall := func() time.Time { return time.Now().Round(0) }
	moved := func() time.Duration { return 0 }
	if now == nil {
		now = wall
	} else {
		moved = func() time.Duration { return now().Sub(wall()) }
	}
	return clocks{
		now:       now,
		wall:      wall,
		moved:     moved,
		monotonic: func() time.Duration { return time.Since(start) },
		random:    rand.Float64,
		sleep:     sleep,
	}
}

func sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
