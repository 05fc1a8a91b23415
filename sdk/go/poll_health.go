package authservice

import (
	"math"
	"time"
)

const (
	// maxBackOff is 30 seconds with jitter.
	maxBackOff    = 25 * time.Second
	maxRetryAfter = 300 * time.Second
)

// jitter changes a pause by up to 20 %, so that replicas do not poll in sync.
func jitter(pause time.Duration, random func() float64) time.Duration {
	return time.Duration(float64(pause) * (0.8 + 0.4*random()))
}

// backOff returns how long to wait after a failure: it doubles with each earlier failure, and is at least as long as the server
// asks.
func backOff(first time.Duration, failures int, retryAfter time.Duration, random func() float64) time.Duration {
	pause := math.Min(float64(first)*math.Pow(2, math.Min(float64(failures), 30)), float64(maxBackOff))
	asked := clamp(retryAfter, 0, maxRetryAfter)
	if pause := jitter(time.Duration(pause), random); pause > asked {
		return pause
	}
	return asked
}

// pollHealth is how polling the service has gone since the last success.
type pollHealth struct {
	random   func() float64
	failures int
	// isRefused says that the service has rejected the key, possibly before a restart.
	isRefused bool
}

func (h *pollHealth) succeed() {
	h.failures, h.isRefused = 0, false
}

// backOff counts a failure, and returns how long to wait.
func (h *pollHealth) backOff(first, retryAfter time.Duration) time.Duration {
	pause := backOff(first, h.failures, retryAfter, h.random)
	h.failures++
	return pause
}
