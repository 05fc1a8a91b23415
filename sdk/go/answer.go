package authservice

import (
	"bytes"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// answer is a complete response.
type answer struct {
	status  int
	headers http.Header
	body    []byte
}

// errNotExpected says that a body is not a valid answer to the call.
var errNotExpected = errors.New("not an answer to this call")

// sent is what an answer is compared with.
type sent struct {
	nonce string
	base  string
}

// isOwn reports whether the answer is that of the service to this request. That of a cache, a login page or a proxy has no nonce,
// or another one, and does not count as a refusal either.
func (a *answer) isOwn(nonce string) bool {
	return subtle.ConstantTimeCompare([]byte(a.headers.Get("Request-Nonce")), []byte(nonce)) == 1
}

// errorOf returns the error for everything but an expected 200.
func (a *answer) errorOf(request sent, now time.Time) *Error {
	isOwn := a.isOwn(request.nonce)
	members := parseMembers(a.body)
	problem := map[string]any{}
	if isOwn && strings.HasPrefix(a.headers.Get("Content-Type"), "application/problem+json") {
		problem = members
	}
	failure := &Error{
		Code:       text(problem, "code"),
		Detail:     text(problem, "detail"),
		Status:     a.status,
		RequestID:  text(members, "requestId"),
		RetryAfter: retryAfter(a.headers.Get("Retry-After"), now),
		Problem:    members,
		class:      classOf(a.status),
	}
	if failure.Code == "" {
		failure.Code = codeWithout(a.status)
	}
	if failure.Code == "" {
		failure.Code, failure.class = "unexpected_answer", ErrUnexpectedAnswer
	}
	if _, isText := problem["detail"].(string); !isText {
		failure.Detail = fmt.Sprintf("HTTP %d", a.status)
		if !isOwn {
			failure.Detail += ", not the service's answer to this request"
		}
	}
	if base, isText := problem["signatureBase"].(string); isText {
		failure.Detail += "; " + describeDifference(request.base, base)
	}
	if failure.RequestID == "" {
		failure.RequestID = a.headers.Get("Apigw-Requestid")
	}
	return failure
}

// codeWithout returns the code for a response of API Gateway or a proxy, which has none, if it can be retried.
func codeWithout(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "too_many_requests"
	case classOf(status) == ErrUnavailable:
		return "unavailable"
	default:
		return ""
	}
}

// parseMembers returns the members of a JSON object, and none of anything else.
func parseMembers(body []byte) map[string]any {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	return members
}

// text returns a member that is a text, and otherwise an empty one.
func text(members map[string]any, name string) string {
	found, _ := members[name].(string)
	return found
}

var secondsPattern = regexp.MustCompile(`^\s*\d{1,9}(\.\d{1,9})?\s*$`)

// longestRetryAfter is longer than any call, and short enough to add to.
const longestRetryAfter = 24 * time.Hour

// retryAfter reads a number of seconds or a date (RFC 9110 section 10.2.3), up to a day; 0 for anything else.
func retryAfter(header string, now time.Time) time.Duration {
	if secondsPattern.MatchString(header) {
		if seconds, err := strconv.ParseFloat(strings.TrimSpace(header), 64); err == nil {
			return atMost(time.Duration(seconds*float64(time.Second)), longestRetryAfter)
		}
	}
	if date, err := http.ParseTime(header); err == nil && date.After(now) {
		return atMost(date.Sub(now), longestRetryAfter)
	}
	return 0
}

func atMost(duration, most time.Duration) time.Duration {
	if duration > most {
		return most
	}
	return duration
}

// decode reads a JSON object.
func decode(body []byte, into any) error {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		return errNotExpected
	}
	return json.Unmarshal(body, into)
}

// parseTime reads a timestamp of the service (RFC 3339); nil is the zero time.
func parseTime(text *string) (time.Time, error) {
	if text == nil {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, *text)
}
