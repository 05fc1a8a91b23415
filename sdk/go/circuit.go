package authservice

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// CircuitOptions say when the client stops sending requests to a service that does not answer.
type CircuitOptions struct {
	// Timeouts is the number of consecutive timed-out calls that opens the circuit; 3 by default. A negative number keeps it closed.
	Timeouts int
	// Open is how long calls then fail immediately, until one call is let through as a probe; 5 seconds by default.
	Open time.Duration
}

// circuit counts timed-out calls.
type circuit struct {
	options   CircuitOptions
	monotonic func() time.Duration

	mu       sync.Mutex
	count    int
	closedAt time.Duration
}

func newCircuit(options CircuitOptions, monotonic func() time.Duration) (*circuit, error) {
	if options.Timeouts == 0 {
		options.Timeouts = 3
	}
	if options.Open == 0 {
		options.Open = 5 * time.Second
	}
	if options.Open < 0 {
		return nil, errors.New("authservice: Open of the circuit must be positive")
	}
	return &circuit{options: options, monotonic: monotonic}, nil
}

// enter must be called before each call. It fails with circuit_open while the circuit is open.
func (c *circuit) enter() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.options.Timeouts < 0 || c.count < c.options.Timeouts {
		return nil
	}
	if left := c.closedAt - c.monotonic(); left > 0 {
		detail := fmt.Sprintf("%d calls timed out", c.count)
		return &Error{Code: "circuit_open", Detail: detail, RetryAfter: left, class: ErrUnavailable}
	}
	// This call is the probe. The others keep failing until it has ended.
	c.closedAt = c.monotonic() + c.options.Open
	return nil
}

// leave records after a call whether it timed out.
func (c *circuit) leave(timedOut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if timedOut {
		c.count++
	} else {
		c.count = 0
	}
	c.closedAt = c.monotonic() + c.options.Open
}
