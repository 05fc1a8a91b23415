package authservice

import (
	"context"
	"errors"
	"math"
	"net"
	"net/url"
	"sync/atomic"
	"time"
)

const (
	// maxCallTime is how long the service returns the outcome of an attempt; later attempts must not use the same nonce.
	maxCallTime = 300 * time.Second
	// maxSkew is the maximum correction of the signing time by a response; it also bounds the expiry of signatures.
	maxSkew = 300 * time.Second
)

// call is one call of the service.
type call struct {
	method string
	// path is the path below /api/service/, with {userId} for an id.
	path string
	// target is the path with the encoded id and the query.
	target  string
	body    []byte
	ifMatch string
	// reads says that the call changes nothing.
	reads bool
	// maxAttempts is the limit of the client if it is 0.
	maxAttempts int
}

// caller sends calls. Its state, the clock of the service and the circuit, is shared by all calls of a client.
type caller struct {
	origin      string
	key         KeySource
	hooks       Hooks
	circuit     *circuit
	clocks      clocks
	exchange    exchanger
	timeout     time.Duration
	maxAttempts int
	// skew is by how many nanoseconds the service is ahead of this machine.
	skew atomic.Int64
}

// A reader reads the body of a 200 with the id of the application; it fails for what is not an answer to its call.
type reader[Result any] func(answer *answer, appID string) (Result, error)

// send sends a call: signed attempts under one nonce, until there is an answer, a retry cannot help, or the time is over.
func send[Result any](ctx context.Context, c *caller, given call, read reader[Result]) (Result, error) {
	var nothing Result
	if err := ctx.Err(); err != nil {
		return nothing, aborted(err)
	}
	if err := c.circuit.enter(); err != nil {
		return nothing, err
	}
	attempts, err := newAttempts(ctx, c, given)
	if err != nil {
		return nothing, err
	}
	for {
		var result Result
		failure := attempts.send(ctx, func(found *answer) (err error) {
			result, err = read(found, attempts.key.AppID())
			return err
		})
		if failure == nil {
			c.circuit.leave(false)
			return result, nil
		}
		failure.Attempts = attempts.sent
		if failure.Code == codeAborted {
			return nothing, failure
		}
		delay, mayHelp := attempts.delayAfter(failure)
		if !mayHelp || delay >= attempts.left() {
			c.circuit.leave(failure.TimedOut)
			return nothing, failure
		}
		c.hooks.retry(RetryEvent{attempts.event(), failure.Code, delay})
		if err := c.clocks.sleep(ctx, delay); err != nil {
			failure := aborted(err)
			failure.Attempts = attempts.sent
			return nothing, failure
		}
	}
}

const codeAborted = "aborted"

// aborted is the failure of a call whose context has ended; its cause says how.
func aborted(cause error) *Error {
	return &Error{Code: codeAborted, Detail: cause.Error(), cause: cause}
}

// attempts are those of one call.
//
// All share one nonce, so the service acts once and answers a retry with the outcome of the first attempt that it received. A 409
// nonce_replayed means that the same bytes arrived twice, which anything on the way can cause, even for the first attempt. It is
// retried like any temporary failure: the next attempt has a new signature and gets the outcome.
type attempts struct {
	*caller
	call
	// key hides the source of the caller, which is read once.
	key        Key
	nonce      string
	url        *url.URL
	hasKey     bool
	count      int
	sent       int
	signedAt   time.Time
	clockIsSet bool
	// endsAt is the end of the call by the clock that signs, deadline by the monotonic one.
	endsAt   time.Time
	deadline time.Duration
	most     int
}

func newAttempts(ctx context.Context, c *caller, given call) (*attempts, error) {
	nonce, err := newNonce()
	if err != nil {
		return nil, err
	}
	parsed, err := url.Parse(c.origin + "/api/service/" + given.target)
	if err != nil {
		return nil, invalidRequest("the path cannot be part of a URL")
	}
	limit := c.timeout
	if deadline, ok := ctx.Deadline(); ok {
		if left := time.Until(deadline); left < limit {
			limit = left
		}
	}
	most := given.maxAttempts
	if most == 0 {
		most = c.maxAttempts
	}
	return &attempts{
		caller:   c,
		call:     given,
		nonce:    nonce,
		url:      parsed,
		endsAt:   c.clocks.now().Add(limit),
		deadline: c.clocks.monotonic() + limit,
		most:     most,
	}, nil
}

func (a *attempts) event() RequestEvent {
	return RequestEvent{Operation: a.method + " " + a.path, Attempt: a.count}
}

func (a *attempts) left() time.Duration {
	return a.deadline - a.clocks.monotonic()
}

// send sends one attempt, and tells the hooks.
func (a *attempts) send(ctx context.Context, read func(*answer) error) (failure *Error) {
	a.count++
	a.hooks.request(a.event())
	startedAt := a.clocks.monotonic()
	event := ResponseEvent{RequestEvent: a.event()}
	defer func() {
		event.Duration = a.clocks.monotonic() - startedAt
		if failure != nil {
			event.Code = failure.Code
		}
		a.hooks.response(event)
	}()
	shareEnd := a.shareEnd(startedAt)
	if failure := a.readKey(ctx, shareEnd-startedAt); failure != nil {
		return failure
	}
	request, base := a.sign()
	a.sent++
	found, err := a.exchange(ctx, request, shareEnd-a.clocks.monotonic())
	if err != nil {
		return noAnswer(ctx, err)
	}
	event.Status, event.RequestID = found.status, found.headers.Get("Apigw-Requestid")
	// Only what has the nonce of the request comes from the service.
	if found.status == 200 && found.isOwn(a.nonce) && read(found) == nil {
		return nil
	}
	return found.errorOf(sent{a.nonce, base}, a.clocks.wall())
}

// noAnswer is a failure that can be retried, unless the application has cancelled the call. The end of the context's time is like
// that of the call's own.
func noAnswer(ctx context.Context, err error) *Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return aborted(ctx.Err())
	}
	var ofNetwork net.Error
	timedOut := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &ofNetwork) && ofNetwork.Timeout()
	return &Error{Code: "no_answer", Detail: err.Error(), TimedOut: timedOut, class: ErrUnavailable, cause: err}
}

// shareEnd is the end of an attempt, which may take its share of the remaining time.
func (a *attempts) shareEnd(startedAt time.Duration) time.Duration {
	left, shares := a.deadline-startedAt, a.most-a.count+1
	if left < 0 {
		left = 0
	}
	if shares < 1 {
		shares = 1
	}
	return startedAt + left/time.Duration(shares)
}

// readKey reads the key before the first attempt. The others use the same: with another key, the nonce would identify another call.
func (a *attempts) readKey(ctx context.Context, timeout time.Duration) *Error {
	if a.hasKey {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	key, failure := a.caller.key.read(limited)
	if failure != nil {
		return failure
	}
	a.key, a.hasKey = key, true
	return nil
}

func (a *attempts) sign() (signedRequest, string) {
	now := a.clocks.now()
	// At least a second after the previous attempt, so that no two signatures are the same.
	if next := a.signedAt.Add(time.Second); a.count > 1 && next.After(now) {
		now = next
	}
	a.signedAt = now
	skew := time.Duration(a.skew.Load())
	// No write is signed ahead of this machine's time: an attacker who forges a response could delay the write and send it later.
	most := time.Duration(0)
	if a.reads {
		most = maxSkew
	}
	request := signedRequest{
		method:  a.method,
		url:     a.url.String(),
		headers: map[string]string{"Accept": "application/json"},
		body:    a.body,
	}
	if len(a.body) > 0 {
		request.headers["Content-Type"] = "application/json"
	}
	if a.ifMatch != "" {
		request.headers["If-Match"] = a.ifMatch
	}
	signed := signing{
		method:  a.method,
		url:     a.url,
		body:    a.body,
		ifMatch: a.ifMatch,
		nonce:   a.nonce,
		created: a.signedAt.Add(clamp(skew, -maxSkew, most)),
		// By the service's clock: a delayed attempt cannot take effect after the caller has seen the failure.
		expires: a.endsAt.Add(skew),
	}.sign(a.key)
	for name, value := range signed.headers {
		request.headers[name] = value
	}
	return request, signed.base
}

func clamp(duration, least, most time.Duration) time.Duration {
	if duration < least {
		return least
	}
	if duration > most {
		return most
	}
	return duration
}

// delayAfter returns how long to wait before a retry, and whether one can help.
func (a *attempts) delayAfter(failure *Error) (time.Duration, bool) {
	before := time.Duration(a.skew.Load())
	skew := before
	if found, ok := skewOf(failure, a.clocks.now()); ok {
		skew = found
		a.skew.Store(int64(found))
	}
	if difference := skew - before; (difference > time.Second || difference < -time.Second) && !a.clockIsSet {
		a.clockIsSet = true
		return 0, true
	}
	if failure.class != ErrUnavailable || a.count >= a.most {
		return 0, false
	}
	// Jitter, so that clients do not retry in sync: up to 0.2 s, 0.4 s, 0.8 s … 5 s.
	most := math.Min(5, 0.1*math.Pow(2, float64(a.count)))
	return failure.RetryAfter + time.Duration(a.clocks.random()*most*float64(time.Second)), true
}

// skewOf returns how far the service is ahead, by a 401 clock_skew.
func skewOf(failure *Error, now time.Time) (time.Duration, bool) {
	if failure.Status != 401 || failure.Code != "clock_skew" {
		return 0, false
	}
	serverTime, err := time.Parse(time.RFC3339Nano, text(failure.Problem, "serverTime"))
	if err != nil {
		return 0, true
	}
	return serverTime.Sub(now), true
}
