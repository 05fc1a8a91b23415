package authservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// A Decider decides about users: a [Client], which asks the service for each request, or a [Replica], which decides in memory and
// should be opened with AskWhenUnknown.
type Decider interface {
	// Decide decides about a user. An error is no decision, which admits nobody, nor is a Decision with a Code.
	Decide(ctx context.Context, userID string) (Decision, error)
}

// GuardOptions say whom a [Guard] admits, and how it answers the others.
type GuardOptions struct {
	// Source decides.
	Source Decider
	// UserID returns the id of the logged-in user, and an empty one if there is none. After an error nobody is logged in.
	UserID func(*http.Request) (string, error)
	// Roles are those of which one is required; nil for none.
	Roles []string
	// Challenge is the WWW-Authenticate of a 401; Bearer by default.
	Challenge string
	// ShowReason adds the reason of a block, which is written for operators, to a 403.
	ShowReason bool
	// WhenUnavailable says what happens while the service does not answer. A guard with Roles stays closed in any case.
	WhenUnavailable WhenUnavailable
	// OnDecision is told of each decision, for logs and metrics.
	OnDecision func(*http.Request, GuardDecision)
	// Denied answers instead of the problem document, such as by a redirect to the login. The request is denied in any case: if nothing
	// is written, the problem document is sent, and instead of a 2xx the status of the decision.
	Denied func(http.ResponseWriter, *http.Request, GuardDecision)
}

// WhenUnavailable says what a guard does while the service does not answer.
type WhenUnavailable int

// What a guard does while the service does not answer.
const (
	// DenyWhenUnavailable lets no request pass.
	DenyWhenUnavailable WhenUnavailable = iota
	// AllowWhenUnavailable lets the requests of all users pass, without roles: the DecidedBy of their [Decision] is outage.
	AllowWhenUnavailable
)

// A GuardDecision says why a request was admitted or denied.
type GuardDecision struct {
	// Status is 200 for an admitted request, 401 without a user, 403 without access, 503 if no decision is possible.
	Status int
	// Code is empty for an admitted request; otherwise not_authenticated, access_denied, role_missing or access_unavailable. New codes
	// may be added.
	Code string
	// UserID is empty with a 401.
	UserID string
	// Decision is what led to a 200 or 403.
	Decision Decision
	// Err is for a 503 the error of the source, for a 401 that of UserID. For a 200 it is nil, or why the service did not answer
	// ([AllowWhenUnavailable]).
	Err error
}

// A Guard lets only users with access reach a handler.
type Guard struct {
	options GuardOptions
}

// NewGuard returns an error for an invalid option.
func NewGuard(options GuardOptions) (*Guard, error) {
	if options.Source == nil || options.UserID == nil {
		return nil, errors.New("authservice: a guard needs Source and UserID")
	}
	// A list that is empty by mistake must not open the handler to everyone.
	if options.Roles != nil && len(options.Roles) == 0 {
		return nil, errors.New("authservice: Roles of a guard must be nil or name roles")
	}
	options.Roles = append([]string(nil), options.Roles...)
	for _, role := range options.Roles {
		if role == "" {
			return nil, errors.New("authservice: a role of a guard has no name")
		}
	}
	if options.WhenUnavailable != DenyWhenUnavailable && options.WhenUnavailable != AllowWhenUnavailable {
		return nil, errors.New("authservice: WhenUnavailable of a guard must be one of its two values")
	}
	if options.Challenge == "" {
		options.Challenge = "Bearer"
	}
	for _, c := range options.Challenge {
		if c < ' ' || c > '~' {
			return nil, errors.New("authservice: Challenge of a guard must be the text of a header")
		}
	}
	return &Guard{options}, nil
}

// Handler is a middleware: it calls the next handler only for admitted requests, which can read their decision by [DecisionOf].
// Others get a problem document (RFC 9457).
func (g *Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		decision := g.decide(r)
		if g.options.OnDecision != nil {
			g.options.OnDecision(r, decision)
		}
		switch {
		case decision.Status == http.StatusOK:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), decisionKey{}, decision.Decision)))
		case g.options.Denied != nil:
			denied := &deniedWriter{ResponseWriter: w, status: decision.Status}
			g.options.Denied(denied, r, decision)
			if !denied.isWritten {
				g.refuse(w, decision)
			}
		default:
			g.refuse(w, decision)
		}
	})
}

// deniedWriter answers no denied request with a success.
type deniedWriter struct {
	http.ResponseWriter
	status    int
	isWritten bool
}

func (w *deniedWriter) WriteHeader(status int) {
	if status >= 200 {
		w.isWritten = true
		if status < 300 {
			status = w.status
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *deniedWriter) Write(content []byte) (int, error) {
	if !w.isWritten {
		w.WriteHeader(w.status)
	}
	return w.ResponseWriter.Write(content)
}

type decisionKey struct{}

// DecisionOf returns the decision by which a guard has admitted the request of this context; false if none has.
func DecisionOf(ctx context.Context) (Decision, bool) {
	decision, ok := ctx.Value(decisionKey{}).(Decision)
	return decision, ok
}

// decide decides about a request: any failure is a denial.
func (g *Guard) decide(r *http.Request) GuardDecision {
	userID, err := g.options.UserID(r)
	if err == nil && userID != "" && !isUserID(userID) {
		err = errors.New("authservice: UserID returned what cannot be the id of a user")
	}
	if err != nil || userID == "" {
		return GuardDecision{Status: http.StatusUnauthorized, Code: "not_authenticated", Err: err}
	}
	decision, err := g.options.Source.Decide(r.Context(), userID)
	result := GuardDecision{Status: http.StatusForbidden, UserID: userID, Decision: decision}
	switch {
	case err != nil:
		return g.withoutDecision(userID, err, codeOf(err))
	case decision.Code == NoUser || decision.Code == NothingKnown:
		result.Code = "access_denied"
	case decision.Code != "":
		err := fmt.Errorf("authservice: the source of the guard has no decision: %s", decision.Code)
		return g.withoutDecision(userID, err, string(decision.Code))
	case decision.UserID != userID || decision.EffectiveStatus != Enabled && decision.EffectiveStatus != Disabled:
		return g.withoutDecision(userID, errors.New("authservice: the source of the guard did not decide about this user"), "")
	case !decision.IsEnabled():
		result.Code = "access_denied"
	case g.options.Roles != nil && !hasRole(decision.Roles, g.options.Roles...):
		result.Code = "role_missing"
	default:
		result.Status = http.StatusOK
	}
	return result
}

// withoutDecision decides by the code that says why there is no decision.
func (g *Guard) withoutDecision(userID string, err error, code string) GuardDecision {
	if g.options.WhenUnavailable == AllowWhenUnavailable && g.options.Roles == nil && isOutage(code) {
		decision := Decision{UserID: userID, EffectiveStatus: Enabled, DecidedBy: "outage"}
		return GuardDecision{Status: http.StatusOK, UserID: userID, Decision: decision, Err: err}
	}
	return GuardDecision{Status: http.StatusServiceUnavailable, Code: "access_unavailable", UserID: userID, Err: err}
}

// isOutage reports whether the service did not answer. Neither a refused key is an outage, because a leaked one is revoked to end its
// use, nor too_many_requests, which anyone who sends many requests can cause, nor a call that its client has cancelled.
func isOutage(code string) bool {
	switch code {
	case "no_answer", "circuit_open", "unavailable", string(TooOld):
		return true
	default:
		return false
	}
}

type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Code   string `json:"code"`
	Reason string `json:"reason,omitempty"`
}

var problemDetails = map[string]string{
	"not_authenticated":  "The request has no logged-in user. Log in first.",
	"access_denied":      "This user has no access to this application.",
	"role_missing":       "This user lacks a role that this request requires.",
	"access_unavailable": "The access of this user cannot be checked now. Try again later.",
}

// refuse answers a denied request.
func (g *Guard) refuse(w http.ResponseWriter, decision GuardDecision) {
	document := problem{
		Type:   "about:blank",
		Title:  http.StatusText(decision.Status),
		Status: decision.Status,
		Detail: problemDetails[decision.Code],
		Code:   decision.Code,
	}
	if g.options.ShowReason && decision.Code == "access_denied" && decision.Decision.DecidedBy == "explicit" {
		document.Reason = decision.Decision.Reason
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	switch decision.Status {
	case http.StatusUnauthorized:
		// RFC 9110 section 15.5.2: a 401 must have one.
		header.Set("WWW-Authenticate", g.options.Challenge)
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", retryAfterSeconds(decision.Err))
	}
	w.WriteHeader(decision.Status)
	// The client may be gone.
	_ = json.NewEncoder(w).Encode(document)
}

func retryAfterSeconds(err error) string {
	after := retryAfterOf(err)
	if after <= 0 {
		after = 5 * time.Second
	}
	return strconv.Itoa(int(math.Ceil(after.Seconds())))
}
