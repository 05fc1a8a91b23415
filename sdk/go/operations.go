package authservice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	codeUserNotFound = "user_not_found"
	maxPageSize      = 100
)

// A WriteOption changes how a write is made.
type WriteOption func(*call)

// IfVersion makes a write fail with [ErrVersionMismatch], and change nothing, unless the access or webhook has this version.
func IfVersion(version int) WriteOption {
	return func(c *call) { c.ifMatch = `"` + strconv.Itoa(version) + `"` }
}

// An AccessSetting enables or disables a user's access. A Reason or an Until that is not given is removed.
type AccessSetting struct {
	// Status is required.
	Status Status
	// Until ends a block; the zero time for never.
	Until time.Time
	// Reason says why, for operators and the application; empty for none.
	Reason string
	// Ticket is such as INC-1234; empty for none.
	Ticket string
}

// A Grant assigns a role of the application.
type Grant struct {
	// Role is the name of a role of the application.
	Role string
	// ExpiresAt ends the grant; the zero time for never.
	ExpiresAt time.Time
	// Reason says why, for operators; empty for none.
	Reason string
	// Ticket is such as INC-1234; empty for none.
	Ticket string
}

// A Revocation revokes a role of the application.
type Revocation struct {
	// Role is the name of a role of the application.
	Role string
	// Reason says why, for operators; empty for none.
	Reason string
	// Ticket is such as INC-1234; empty for none.
	Ticket string
}

// IsAllowed reports whether the user has access to the application now: false for unknown users and invalid ids, and an error if
// there is no valid response.
func (c *Client) IsAllowed(ctx context.Context, userID string) (bool, error) {
	access, err := c.GetAccess(ctx, userID)
	// An unknown user, or an invalid id: nothing else in a read can be invalid.
	if code := codeOf(err); code == codeUserNotFound || code == "invalid_request" {
		return false, nil
	}
	return access.IsEnabled(), err
}

// GetAccess reads the user's access to the application; [ErrNotFound] for an unknown user.
func (c *Client) GetAccess(ctx context.Context, userID string) (*Access, error) {
	if err := requireUserID(userID); err != nil {
		return nil, err
	}
	given := call{
		method: http.MethodGet,
		path:   "users/{userId}/access",
		target: "users/" + encode(userID) + "/access",
		reads:  true,
	}
	return send(ctx, c.caller, given, func(found *answer, appID string) (*Access, error) {
		access, err := readAccess(found.body, userID, appID)
		if err != nil {
			return nil, err
		}
		return &access.Access, nil
	})
}

// CheckAccess reads the access of up to 100 users: for each id, in the same order, the access or that there is no such user.
func (c *Client) CheckAccess(ctx context.Context, userIDs []string) ([]CheckedAccess, error) {
	return checkAccess(ctx, c.caller, userIDs)
}

func checkAccess(ctx context.Context, c *caller, userIDs []string) ([]CheckedAccess, error) {
	body, err := encodeBody(map[string]any{"userIds": append([]string{}, userIDs...)})
	if err != nil {
		return nil, err
	}
	given := call{method: http.MethodPost, path: "access/check", target: "access/check", body: body, reads: true}
	return send(ctx, c, given, func(found *answer, appID string) ([]CheckedAccess, error) {
		return readChecked(found.body, userIDs, appID)
	})
}

// SetAccess enables or disables the user's access.
func (c *Client) SetAccess(ctx context.Context, userID string, setting AccessSetting, options ...WriteOption) (*ChangedAccess, error) {
	body := reasoned(setting.Reason, setting.Ticket)
	body["status"] = setting.Status
	addTime(body, "until", setting.Until)
	return c.write(ctx, call{method: http.MethodPut, path: "users/{userId}/access"}, userID, body, options)
}

// AssignRole assigns a role of the application to the user.
func (c *Client) AssignRole(ctx context.Context, userID string, grant Grant, options ...WriteOption) (*ChangedAccess, error) {
	body := reasoned(grant.Reason, grant.Ticket)
	body["role"] = grant.Role
	addTime(body, "expiresAt", grant.ExpiresAt)
	return c.write(ctx, call{method: http.MethodPost, path: "roles/{userId}/assign"}, userID, body, options)
}

// RevokeRole revokes a role of the application from the user.
func (c *Client) RevokeRole(ctx context.Context, userID string, revocation Revocation, options ...WriteOption) (*ChangedAccess, error) {
	given := call{method: http.MethodDelete, path: "users/{userId}/revoke"}
	body := reasoned(revocation.Reason, revocation.Ticket)
	if len(body) > 0 {
		body["role"] = revocation.Role
		return c.write(ctx, given, userID, body, options)
	}
	// The names of roles have a smaller alphabet.
	if !isUserID(revocation.Role) {
		return nil, invalidRequest("query:role is not the name of a role")
	}
	// In the query, because some proxies drop the body of a DELETE.
	given.target = given.path + "?role=" + encode(revocation.Role)
	return c.write(ctx, given, userID, nil, options)
}

func (c *Client) write(ctx context.Context, given call, userID string, body map[string]any, options []WriteOption) (*ChangedAccess, error) {
	if err := requireUserID(userID); err != nil {
		return nil, err
	}
	if given.target == "" {
		given.target = given.path
	}
	given.target = strings.Replace(given.target, "{userId}", encode(userID), 1)
	if body != nil {
		encoded, err := encodeBody(body)
		if err != nil {
			return nil, err
		}
		given.body = encoded
	}
	for _, option := range options {
		option(&given)
	}
	return send(ctx, c.caller, given, func(found *answer, appID string) (*ChangedAccess, error) {
		return readAccess(found.body, userID, appID)
	})
}

func reasoned(reason, ticket string) map[string]any {
	body := map[string]any{}
	if reason != "" {
		body["reason"] = reason
	}
	if ticket != "" {
		body["ticket"] = ticket
	}
	return body
}

func addTime(body map[string]any, name string, at time.Time) {
	if !at.IsZero() {
		body[name] = at.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
}

// encodeBody is the one encoding of a body, which is signed and sent.
func encodeBody(members map[string]any) ([]byte, error) {
	for name, value := range members {
		if given, isText := value.(string); isText && !utf8.ValidString(given) {
			// Otherwise the encoding would replace what is not UTF-8.
			return nil, invalidRequest("#/" + name + " is not valid UTF-8")
		}
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(members); err != nil {
		return nil, invalidRequest("the body has no encoding: " + err.Error())
	}
	return bytes.TrimRight(body.Bytes(), "\n"), nil
}

// Decide asks the service about the user, so that a client can be the source of a [Guard]. An unknown user is a decision, with the
// code user_not_found.
func (c *Client) Decide(ctx context.Context, userID string) (Decision, error) {
	return decideBy(ctx, c, userID)
}

func decideBy(ctx context.Context, c *Client, userID string) (Decision, error) {
	// The service rejects an id that cannot be one: that is decided here.
	if !isUserID(userID) {
		return noDecision(userID, NoUser, 0), nil
	}
	access, err := c.GetAccess(ctx, userID)
	if errors.Is(err, ErrNotFound) && codeOf(err) == codeUserNotFound {
		return noDecision(userID, NoUser, 0), nil
	}
	if err != nil {
		return Decision{}, err
	}
	return Decision{
		UserID:          userID,
		EffectiveStatus: access.EffectiveStatus,
		DecidedBy:       access.DecidedBy,
		Roles:           access.Roles,
		Reason:          access.Reason,
	}, nil
}
