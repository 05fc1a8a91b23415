package authservice

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"
)

type failureStep struct {
	Wait      float64
	Operation string
	UserID    string
	UserIDs   []string
	Role      string
	After     string
	IfVersion *int
	Body      struct {
		Status                       Status
		Until, ExpiresAt             time.Time
		Reason, Ticket, Role, Format string
	}
}

type sentRequest struct {
	Call             int
	Method, Target   string
	IfMatch          string
	Body             json.RawMessage
	Created, Expires json.Number
	SentAt           float64
}

type failureCase struct {
	Name   string
	Client struct {
		TimeoutSeconds float64
		MaxAttempts    int
	}
	Steps     []failureStep
	Exchanges []kitAnswer
	Expected  struct {
		Requests []sentRequest
		Outcomes []struct {
			Answer json.RawMessage
			Error  *struct {
				Class, Code       string
				Attempts, Status  int
				RetryAfterSeconds float64
			}
		}
	}
}

func TestFailures(t *testing.T) {
	var cases []failureCase
	readKit(t, "failures", &cases)
	for _, each := range cases {
		each := each
		t.Run(each.Name, func(t *testing.T) {
			run := &failureRun{t: t, given: each, time: &virtualTime{}, calls: map[string]int{}}
			run.client = run.time.client(t, Options{
				Timeout:     time.Duration(each.Client.TimeoutSeconds * float64(time.Second)),
				MaxAttempts: each.Client.MaxAttempts,
			}, run.exchange)
			run.all()
		})
	}
}

type failureRun struct {
	t      *testing.T
	given  failureCase
	time   *virtualTime
	client *Client
	// calls are numbered by their nonces.
	calls map[string]int
	sent  []sentRequest
}

func (r *failureRun) exchange(_ context.Context, request signedRequest, timeout time.Duration) (*answer, error) {
	nonce := r.note(request)
	number := len(r.sent)
	if number > len(r.given.Exchanges) {
		number = len(r.given.Exchanges)
	}
	exchange := r.given.Exchanges[number-1]
	seconds := time.Duration(exchange.Seconds * float64(time.Second))
	if exchange.Fault == "hang" || seconds > timeout {
		r.time.wait(timeout)
		return nil, context.DeadlineExceeded
	}
	r.time.wait(seconds)
	if exchange.Fault != "" {
		return nil, errors.New(exchange.Fault)
	}
	found := exchange.answer(r.t, nonce)
	if exchange.Nonce != nil {
		found.headers.Del("Request-Nonce")
		var other *string
		fill(r.t, exchange.Nonce, &other)
		if other != nil {
			found.headers.Set("Request-Nonce", *other)
		}
	}
	return found, nil
}

func (r *failureRun) note(request signedRequest) string {
	params := paramsPattern.FindStringSubmatch(request.headers["Signature-Input"])
	nonce := nonceOf(r.t, request)
	if r.calls[nonce] == 0 {
		r.calls[nonce] = len(r.calls) + 1
	}
	r.sent = append(r.sent, sentRequest{
		Call:    r.calls[nonce],
		Method:  request.method,
		Target:  targetOf(request),
		IfMatch: request.headers["If-Match"],
		Body:    request.body,
		Created: json.Number(params[1]),
		Expires: json.Number(params[3]),
		SentAt:  r.time.milliseconds(),
	})
	return nonce
}

func (r *failureRun) all() {
	outcomes := r.given.Expected.Outcomes
	for _, step := range r.given.Steps {
		if step.Wait > 0 {
			r.time.wait(time.Duration(step.Wait * float64(time.Second)))
			continue
		}
		answered, err := r.call(step)
		expected := outcomes[0]
		outcomes = outcomes[1:]
		if expected.Error == nil {
			if err != nil || !sameJSON(r.t, answered, expected.Answer) {
				r.t.Errorf("%s answered %s (%v), not %s", step.Operation, answered, err, expected.Answer)
			}
			continue
		}
		var failure *Error
		if !errors.As(err, &failure) {
			r.t.Fatalf("%s returned %v, no error of the client", step.Operation, err)
		}
		wanted := expected.Error
		if className(err) != wanted.Class || failure.Code != wanted.Code || failure.Attempts != wanted.Attempts || failure.Status != wanted.Status {
			r.t.Errorf("the error is %s %+v, not %+v", className(err), failure, wanted)
		}
		if !near(failure.RetryAfter.Seconds(), wanted.RetryAfterSeconds, 0.001) {
			r.t.Errorf("it asks to wait %s, not %v s", failure.RetryAfter, wanted.RetryAfterSeconds)
		}
	}
	r.compareRequests()
}

func (r *failureRun) compareRequests() {
	wanted := r.given.Expected.Requests
	if len(r.sent) != len(wanted) {
		r.t.Fatalf("%d requests were sent, not %d", len(r.sent), len(wanted))
	}
	for i, one := range r.sent {
		other := wanted[i]
		isSame := one.Call == other.Call && one.Method == other.Method && one.Target == other.Target && one.IfMatch == other.IfMatch &&
			one.Created == other.Created && one.Expires == other.Expires && near(one.SentAt, other.SentAt, 2)
		if !isSame {
			r.t.Errorf("request %d is %+v, not %+v", i+1, one, other)
		}
		if len(one.Body) != 0 || len(other.Body) != 0 {
			if len(one.Body) == 0 || len(other.Body) == 0 || !sameJSON(r.t, one.Body, other.Body) {
				r.t.Errorf("the body of request %d is %s, not %s", i+1, one.Body, other.Body)
			}
		}
	}
}

// call returns the answer as JSON.
func (r *failureRun) call(step failureStep) ([]byte, error) {
	ctx, client, body := context.Background(), r.client, step.Body
	var options []WriteOption
	if step.IfVersion != nil {
		options = append(options, IfVersion(*step.IfVersion))
	}
	role := step.Role
	if role == "" {
		role = body.Role
	}
	switch step.Operation {
	case "getAccess":
		access, err := client.GetAccess(ctx, step.UserID)
		if err != nil {
			return nil, err
		}
		return access.Raw, nil
	case "isAllowed":
		isAllowed, err := client.IsAllowed(ctx, step.UserID)
		return marshal(r.t, isAllowed), err
	case "checkAccess":
		return r.check(step)
	case "setAccess":
		setting := AccessSetting{Status: body.Status, Until: body.Until, Reason: body.Reason, Ticket: body.Ticket}
		return rawOf(client.SetAccess(ctx, step.UserID, setting, options...))
	case "assignRole":
		grant := Grant{Role: role, ExpiresAt: body.ExpiresAt, Reason: body.Reason, Ticket: body.Ticket}
		return rawOf(client.AssignRole(ctx, step.UserID, grant, options...))
	case "revokeRole":
		return rawOf(client.RevokeRole(ctx, step.UserID, Revocation{role, body.Reason, body.Ticket}, options...))
	case "changes":
		return r.changes(step)
	default:
		r.t.Fatalf("there is no operation %s", step.Operation)
		return nil, nil
	}
}

func rawOf(access *ChangedAccess, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return access.Raw, nil
}

func (r *failureRun) check(step failureStep) ([]byte, error) {
	checked, err := r.client.CheckAccess(context.Background(), step.UserIDs)
	items := []any{}
	for _, each := range checked {
		if each.Access == nil {
			items = append(items, map[string]string{"userId": each.UserID, "code": "user_not_found"})
		} else {
			items = append(items, each.Access.Raw)
		}
	}
	return marshal(r.t, items), err
}

func (r *failureRun) changes(step failureStep) ([]byte, error) {
	reader := r.client.Changes(ChangesOptions{After: step.After})
	pages := []any{}
	for {
		page, err := reader.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return marshal(r.t, pages), nil
		}
		if err != nil {
			return nil, err
		}
		items := []json.RawMessage{}
		for _, change := range page.Items {
			items = append(items, change.Raw)
		}
		pages = append(pages, map[string]any{"items": items, "cursor": page.Cursor})
	}
}
