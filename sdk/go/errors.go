package authservice

import (
	"errors"
	"fmt"
	"time"
)

// The classes of errors, which say how to react: errors.Is(err, ErrNotFound). The Code of an [Error] says what exactly failed.
var (
	// ErrInvalidRequest means that the arguments are invalid. Nothing has changed.
	ErrInvalidRequest = errors.New("authservice: invalid request")
	// ErrSignature means that the key or the signature was rejected; signature_mismatch says where the signature bases differ.
	ErrSignature = errors.New("authservice: the key or the signature was rejected")
	// ErrForbidden means that the API key lacks the scope, or that the service accepts no requests from this address.
	ErrForbidden = errors.New("authservice: forbidden")
	// ErrNotFound means that the user or the role does not exist. An unknown user has no access.
	ErrNotFound = errors.New("authservice: not found")
	// ErrVersionMismatch means that the access does not have the version of [IfVersion]. Nothing has changed: read the access and
	// decide again.
	ErrVersionMismatch = errors.New("authservice: version mismatch")
	// ErrUnavailable means too many requests, no response, or an unavailable service, even after all retries. A write may have taken
	// effect: read the access before you repeat it, because a new call can overwrite changes that others have made since.
	ErrUnavailable = errors.New("authservice: unavailable")
	// ErrUnexpectedAnswer means a response that the service does not define: an internal error, a proxy's page, a redirect, another
	// user's access.
	ErrUnexpectedAnswer = errors.New("authservice: unexpected answer")
)

// An Error is a failed call. No error contains a secret. With errors.Is it is its class, and what has caused it: a call whose
// context was cancelled is context.Canceled.
type Error struct {
	// Code is stable: what to branch on. New codes may be added.
	Code string
	// Detail is what went wrong this time.
	Detail string
	// Status is the HTTP status; 0 if there was no response.
	Status int
	// RequestID is the id by which the operators of the service find the request.
	RequestID string
	// RetryAfter is how long to wait before the next request, as the server asks, or until the circuit closes.
	RetryAfter time.Duration
	// Problem is the problem document (RFC 9457) in the response; nil if there is none.
	Problem map[string]any
	// Attempts is the number of requests that the call sent.
	Attempts int
	// TimedOut says that the last request got no answer in time.
	TimedOut bool

	class error
	cause error
}

// Error returns the code and the detail.
func (e *Error) Error() string {
	return fmt.Sprintf("authservice: %s: %s", e.Code, e.Detail)
}

// Is reports whether target is the class of the error.
func (e *Error) Is(target error) bool {
	return e.class != nil && e.class == target
}

// Unwrap returns what has caused the error, such as that of the transport.
func (e *Error) Unwrap() error {
	return e.cause
}

// codeOf returns the code of an error of the client, or an empty one.
func codeOf(err error) string {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.Code
	}
	return ""
}

// retryAfterOf returns how long the service asks to wait.
func retryAfterOf(err error) time.Duration {
	var failure *Error
	if errors.As(err, &failure) {
		return failure.RetryAfter
	}
	return 0
}

func invalidRequest(detail string) *Error {
	return &Error{Code: "invalid_request", Detail: detail, class: ErrInvalidRequest}
}

// classOf returns the class of a status.
func classOf(status int) error {
	switch status {
	case 400, 410, 413, 415:
		return ErrInvalidRequest
	case 401:
		return ErrSignature
	case 403:
		return ErrForbidden
	case 404:
		return ErrNotFound
	case 412:
		return ErrVersionMismatch
	case 409, 429, 502, 503, 504:
		return ErrUnavailable
	default:
		return ErrUnexpectedAnswer
	}
}
