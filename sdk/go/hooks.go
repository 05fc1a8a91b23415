package authservice

import "time"

// Hooks are callbacks for telemetry, in the goroutine of the call. They get neither secrets nor bodies nor user ids.
type Hooks struct {
	// OnRequest is called before a request is signed and sent.
	OnRequest func(RequestEvent)
	// OnResponse is called after each request, with or without a response.
	OnResponse func(ResponseEvent)
	// OnRetry is called before the pause that precedes another attempt.
	OnRetry func(RetryEvent)
}

// A RequestEvent is one request of a call.
type RequestEvent struct {
	// Operation is the method and the path below /api/service/, such as GET users/{userId}/access; the same for every user.
	Operation string
	// Attempt is 1 for the first request of a call.
	Attempt int
}

// A ResponseEvent is the end of one request.
type ResponseEvent struct {
	RequestEvent
	// Duration is how long the request took.
	Duration time.Duration
	// Status is the HTTP status; 0 if there was no response.
	Status int
	// RequestID is the id by which the operators of the service find the request.
	RequestID string
	// Code is that of the failure; empty after a success.
	Code string
}

// A RetryEvent is a retry.
type RetryEvent struct {
	RequestEvent
	// Code says why the last attempt failed.
	Code string
	// Delay is how long the client waits before the next attempt.
	Delay time.Duration
}

func (h Hooks) request(event RequestEvent) {
	if h.OnRequest != nil {
		h.OnRequest(event)
	}
}

func (h Hooks) response(event ResponseEvent) {
	if h.OnResponse != nil {
		h.OnResponse(event)
	}
}

func (h Hooks) retry(event RetryEvent) {
	if h.OnRetry != nil {
		h.OnRetry(event)
	}
}
