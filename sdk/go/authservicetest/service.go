// Package authservicetest is the service itself, for the tests of an application: the code of the service over a table in memory.
//
// It is the test double of the TypeScript package, run by Node.js 20.12 or later. Install the package beside your tests, with
// npm install --no-save auth-service-client-*.tgz, or name its folder in the environment variable AUTH_SERVICE_CLIENT;
// AUTH_SERVICE_NODE names another node.
//
// [Decider] needs neither: it is for the unit tests of a handler.
package authservicetest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"auth-service/authservice"
)

// Options of a [Service]. None is required.
type Options struct {
	// AppID is billing by default.
	AppID string
	// Users are the ids of those who exist.
	Users []string
	// Roles are the names of those of the application.
	Roles []string
}

// A Service is a service in memory with its own users, keys and time. Its methods end the test if the service would refuse what
// they do.
type Service struct {
	// BaseURL is its address.
	BaseURL string
	// Key has all scopes.
	Key authservice.Key

	t     testing.TB
	id    int
	ahead atomic.Int64
}

// Start starts a service, which ends with the test.
func Start(t testing.TB, options Options) *Service {
	t.Helper()
	if options.AppID == "" {
		options.AppID = "billing"
	}
	var created struct {
		ID                     int
		BaseURL, KeyID, Secret string
	}
	given := map[string]any{"appId": options.AppID, "users": list(options.Users), "roles": list(options.Roles)}
	if err := process.ask(&created, "create", 0, given); err != nil {
		t.Fatalf("the test double does not start: %v", err)
	}
	service := &Service{
		BaseURL: created.BaseURL,
		Key:     authservice.Key{ID: created.KeyID, Secret: created.Secret},
		t:       t,
		id:      created.ID,
	}
	t.Cleanup(func() { service.do("close") })
	return service
}

// list is never null.
func list(texts []string) []string {
	return append([]string{}, texts...)
}

func (s *Service) do(call string, args ...any) {
	s.t.Helper()
	s.read(nil, call, args...)
}

func (s *Service) read(result any, call string, args ...any) {
	s.t.Helper()
	if err := process.ask(result, call, s.id, args...); err != nil {
		s.t.Fatalf("%s: %v", call, err)
	}
}

// Client returns a client with the address, the time and, unless the options have one, the key of this service.
func (s *Service) Client(options authservice.Options) *authservice.Client {
	s.t.Helper()
	options.BaseURL, options.Now = s.BaseURL, s.Now
	if options.Key == nil && options.KeyID == "" {
		options.KeyID, options.Secret = s.Key.ID, s.Key.Secret
	}
	client, err := authservice.NewClient(options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(client.CloseIdleConnections)
	return client
}

// CreateUser creates a user.
func (s *Service) CreateUser(userID string) {
	s.t.Helper()
	s.do("createUser", userID)
}

// SetUserStatus activates or deactivates a user in all applications; the status is active or inactive.
func (s *Service) SetUserStatus(userID, status string) {
	s.t.Helper()
	s.do("setUserStatus", userID, status)
}

// DeleteUser erases a user with all settings and roles.
func (s *Service) DeleteUser(userID string) {
	s.t.Helper()
	s.do("deleteUser", userID)
}

// DefineRole defines a role of the application.
func (s *Service) DefineRole(role string) {
	s.t.Helper()
	s.do("defineRole", role)
}

// SetRollout sets the percentage of users without an explicit status who have access.
func (s *Service) SetRollout(percent float64) {
	s.t.Helper()
	s.do("setRollout", percent)
}

// SetAccess enables or disables a user, as an operator.
func (s *Service) SetAccess(userID string, setting authservice.AccessSetting) {
	s.t.Helper()
	given := map[string]any{"status": setting.Status, "until": text(setting.Until), "reason": nil}
	if setting.Reason != "" {
		given["reason"] = setting.Reason
	}
	s.do("setAccess", userID, given)
}

// AssignRole assigns a role, as an operator.
func (s *Service) AssignRole(userID string, grant authservice.Grant) {
	s.t.Helper()
	s.do("assignRole", userID, map[string]any{"role": grant.Role, "expiresAt": text(grant.ExpiresAt)})
}

// RevokeRole revokes a role, as an operator.
func (s *Service) RevokeRole(userID, role string) {
	s.t.Helper()
	s.do("revokeRole", userID, role)
}

// text is null for the zero time.
func text(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// Now is the time by which blocks, grants and signatures expire.
func (s *Service) Now() time.Time {
	return time.Now().Round(0).Add(time.Duration(s.ahead.Load()))
}

// Advance advances that time, also for its clients and their replicas.
func (s *Service) Advance(duration time.Duration) {
	s.t.Helper()
	s.do("advance", duration.Seconds())
	s.ahead.Add(int64(duration))
}

// IssueKey issues another key with these scopes, such as access:read; with all of them if none is named.
func (s *Service) IssueKey(scopes ...string) authservice.Key {
	s.t.Helper()
	var args []any
	if len(scopes) > 0 {
		args = append(args, scopes)
	}
	var issued struct{ KeyID, Secret string }
	s.read(&issued, "issueKey", args...)
	return authservice.Key{ID: issued.KeyID, Secret: issued.Secret}
}

// RevokeKey revokes a key.
func (s *Service) RevokeKey(keyID string) {
	s.t.Helper()
	s.do("revokeKey", keyID)
}

// ExpireCursors expires all cursors of changes returned so far.
func (s *Service) ExpireCursors() {
	s.t.Helper()
	s.do("expireCursors")
}

// The ways in which a service gives no answer.
const (
	// NoAnswer breaks the connection.
	NoAnswer = "no answer"
	// Hang never answers.
	Hang = "hang"
	// LostAnswer acts, and then breaks the connection.
	LostAnswer = "lost answer"
)

// A Failure is how requests fail: give one of No, Code and Status.
type Failure struct {
	// No is NoAnswer, Hang, or LostAnswer, which acts before the connection breaks.
	No string
	// Code is that of an error of the service.
	Code string
	// Status is a bare one, such as that of a proxy.
	Status int
	// RetryAfter is what a Code or a Status asks for.
	RetryAfter time.Duration
	// Times is how many requests fail; all until Recover by default.
	Times int
}

// Fail fails the next requests.
func (s *Service) Fail(failure Failure) {
	s.t.Helper()
	var given any = failure.No
	if failure.No == "" {
		document := map[string]any{}
		if failure.Code != "" {
			document["code"] = failure.Code
		} else {
			document["status"] = failure.Status
		}
		if failure.RetryAfter > 0 {
			document["retryAfterSeconds"] = failure.RetryAfter.Seconds()
		}
		given = document
	}
	options := map[string]any{}
	if failure.Times > 0 {
		options["times"] = failure.Times
	}
	s.do("fail", given, options)
}

// Recover ends the failures.
func (s *Service) Recover() {
	s.t.Helper()
	s.do("recover")
}

// A Request is one that the service received, with the status of its answer; 0 if there was none.
type Request struct {
	// Method is the HTTP method.
	Method string
	// Path has the query too.
	Path string
	// Status is that of the answer; 0 if there was none.
	Status int
}

// Requests returns all requests, oldest first.
func (s *Service) Requests() []Request {
	s.t.Helper()
	var requests []Request
	s.read(&requests, "requests")
	return requests
}

// A Decider has decisions by user id, for the unit tests of a handler: Decider{"ada": {EffectiveStatus: authservice.Enabled}}.
// Others are unknown users.
type Decider map[string]authservice.Decision

// Decide returns the decision about a user.
func (d Decider) Decide(_ context.Context, userID string) (authservice.Decision, error) {
	decision, isKnown := d[userID]
	if !isKnown {
		return authservice.Decision{UserID: userID, EffectiveStatus: authservice.Disabled, Code: authservice.NoUser}, nil
	}
	decision.UserID = userID
	return decision, nil
}
