package authservice_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"auth-service/authservice"
	"auth-service/authservice/authservicetest"
)

// welcome is a handler that must only be reached by admitted requests.
var welcome = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	decision, ok := authservice.DecisionOf(r.Context())
	if !ok {
		panic("no guard has admitted this request")
	}
	_, _ = io.WriteString(w, "welcome "+decision.UserID)
})

func userOf(r *http.Request) (string, error) {
	return r.Header.Get("X-User"), nil
}

type guarded struct {
	*http.Response
	text string
	code string
}

// ask asks a guarded handler as a user.
func ask(t *testing.T, userID string, options authservice.GuardOptions) guarded {
	t.Helper()
	if options.UserID == nil {
		options.UserID = userOf
	}
	guard := must(authservice.NewGuard(options))(t)
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("X-User", userID)
	recorder := httptest.NewRecorder()
	guard.Handler(welcome).ServeHTTP(recorder, request)
	response := recorder.Result()
	body := recorder.Body.String()
	var problem struct{ Code string }
	if response.Header.Get("Content-Type") == "application/problem+json" {
		if err := json.Unmarshal([]byte(body), &problem); err != nil {
			t.Fatal(err)
		}
	}
	return guarded{response, body, problem.Code}
}

func expect(t *testing.T, given guarded, status int, code string) {
	t.Helper()
	if given.StatusCode != status || given.code != code {
		t.Errorf("the answer is %d %s, not %d %s", given.StatusCode, given.text, status, code)
	}
}

func TestAUserWithAccessIsAdmitted(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"auth0|ada"}})
	answer := ask(t, "auth0|ada", authservice.GuardOptions{Source: service.Client(authservice.Options{})})
	if answer.StatusCode != 200 || answer.text != "welcome auth0|ada" {
		t.Errorf("the answer is %d %s", answer.StatusCode, answer.text)
	}
}

func TestNobodyIsAdmittedWithoutAUser(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{})
	source := service.Client(authservice.Options{})
	for _, userID := range []string{"", "a/b", "..", strings.Repeat("a", 129)} {
		answer := ask(t, userID, authservice.GuardOptions{Source: source, Challenge: `Bearer realm="billing"`})
		expect(t, answer, 401, "not_authenticated")
		for name, value := range map[string]string{
			"WWW-Authenticate": `Bearer realm="billing"`,
			"Content-Type":     "application/problem+json",
			"Cache-Control":    "no-store",
		} {
			if answer.Header.Get(name) != value {
				t.Errorf("%s is %q", name, answer.Header.Get(name))
			}
		}
	}
	failing := func(*http.Request) (string, error) { return "ada", errors.New("no session store") }
	answer := ask(t, "ada", authservice.GuardOptions{Source: source, UserID: failing})
	if expect(t, answer, 401, "not_authenticated"); answer.Header.Get("WWW-Authenticate") != "Bearer" {
		t.Error("the challenge is not Bearer")
	}
	if len(service.Requests()) != 0 {
		t.Error("the service was asked")
	}
}

func TestABlockedOrUnknownUserIsDenied(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	options := authservice.GuardOptions{Source: service.Client(authservice.Options{})}
	expect(t, ask(t, "nobody", options), 403, "access_denied")
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled, Reason: "unpaid"})
	answer := ask(t, "ada", options)
	if expect(t, answer, 403, "access_denied"); strings.Contains(answer.text, "unpaid") {
		t.Error("the reason is shown")
	}
	options.ShowReason = true
	if answer := ask(t, "ada", options); !strings.Contains(answer.text, `"reason":"unpaid"`) {
		t.Errorf("the answer is %s", answer.text)
	}
	service.SetUserStatus("ada", "inactive")
	if answer := ask(t, "ada", options); strings.Contains(answer.text, "unpaid") {
		t.Error("a reason that decided nothing is shown")
	}
}

func TestOneOfTheRolesIsEnough(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}, Roles: []string{"editor"}})
	source := service.Client(authservice.Options{})
	with := func(roles ...string) authservice.GuardOptions {
		return authservice.GuardOptions{Source: source, Roles: roles}
	}
	expect(t, ask(t, "ada", with("editor")), 403, "role_missing")
	service.AssignRole("ada", authservice.Grant{Role: "editor", ExpiresAt: service.Now().Add(time.Hour)})
	expect(t, ask(t, "ada", with("editor")), 200, "")
	expect(t, ask(t, "ada", with("owner", "editor")), 200, "")
	expect(t, ask(t, "ada", with("owner")), 403, "role_missing")
	service.Advance(time.Hour)
	expect(t, ask(t, "ada", with("editor")), 403, "role_missing")
	service.AssignRole("ada", authservice.Grant{Role: "editor"})
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	expect(t, ask(t, "ada", with("editor")), 403, "access_denied")
}

func TestWithoutAnAnswerNobodyIsAdmitted(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	options := authservice.GuardOptions{Source: service.Client(authservice.Options{MaxAttempts: 1})}
	service.Fail(authservicetest.Failure{Code: "unavailable", RetryAfter: time.Minute})
	answer := ask(t, "ada", options)
	if expect(t, answer, 503, "access_unavailable"); answer.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After is %s", answer.Header.Get("Retry-After"))
	}
	service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
	answer = ask(t, "ada", options)
	if expect(t, answer, 503, "access_unavailable"); answer.Header.Get("Retry-After") != "5" {
		t.Errorf("Retry-After is %s", answer.Header.Get("Retry-After"))
	}
	service.Fail(authservicetest.Failure{Status: 404})
	expect(t, ask(t, "ada", options), 503, "access_unavailable")
}

// deciding is a source that returns what a test wants.
type deciding struct {
	decision authservice.Decision
	err      error
}

func (d deciding) Decide(context.Context, string) (authservice.Decision, error) {
	return d.decision, d.err
}

func TestAnotherDecisionOfTheSourceAdmitsNobody(t *testing.T) {
	enabled := authservice.Decision{UserID: "ada", EffectiveStatus: authservice.Enabled}
	expect(t, ask(t, "ada", authservice.GuardOptions{Source: deciding{decision: enabled}}), 200, "")
	for _, source := range []deciding{
		{},
		{decision: authservice.Decision{EffectiveStatus: authservice.Enabled}},
		{decision: authservice.Decision{UserID: "eve", EffectiveStatus: authservice.Enabled}},
		{decision: authservice.Decision{UserID: "ada", EffectiveStatus: "true"}},
		{decision: authservice.Decision{UserID: "ada", EffectiveStatus: authservice.Enabled, Code: authservice.TooOld}},
		{decision: enabled, err: errors.New("no answer")},
	} {
		expect(t, ask(t, "ada", authservice.GuardOptions{Source: source}), 503, "access_unavailable")
	}
	for _, code := range []authservice.DecisionCode{authservice.NoUser, authservice.NothingKnown} {
		source := deciding{decision: authservice.Decision{UserID: "ada", EffectiveStatus: authservice.Enabled, Code: code}}
		expect(t, ask(t, "ada", authservice.GuardOptions{Source: source}), 403, "access_denied")
	}
	if enabled.Code = authservice.TooOld; enabled.IsEnabled() {
		t.Error("what is no decision is enabled")
	}
}

func TestAReplicaDecidesForAGuardInAnOutage(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada", "ben"}})
	service.SetAccess("ben", authservice.AccessSetting{Status: authservice.Disabled})
	client := service.Client(authservice.Options{MaxAttempts: 1})
	statuses := func(source authservice.Decider, userIDs ...string) []int {
		var found []int
		for _, userID := range userIDs {
			found = append(found, ask(t, userID, authservice.GuardOptions{Source: source}).StatusCode)
		}
		return found
	}
	asking := open(t, client, authservice.ReplicaOptions{Unknown: authservice.AskWhenUnknown})
	if found := statuses(asking, "ada", "ben", "nobody", "ADA"); !reflect.DeepEqual(found, []int{200, 403, 403, 403}) {
		t.Errorf("the answers are %v", found)
	}
	for when, wanted := range map[authservice.WhenStale][]int{
		authservice.AskWhenStale:  {503, 503},
		authservice.DenyWhenStale: {503, 503},
		authservice.GoOnWhenStale: {200, 403},
	} {
		service.Recover()
		staleness := 100 * time.Millisecond
		replica := open(t, client, authservice.ReplicaOptions{WhenStale: when, MaxStaleness: staleness, Poll: 10 * time.Millisecond})
		service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
		eventually(t, func() bool { return replica.Age() > 2*staleness })
		if found := statuses(replica, "ada", "ben"); !reflect.DeepEqual(found, wanted) {
			t.Errorf("in an outage the answers with %v are %v, not %v", when, found, wanted)
		}
	}
}

func TestDecisionsAreTold(t *testing.T) {
	source := authservicetest.Decider{"ada": {EffectiveStatus: authservice.Enabled}}
	var told []authservice.GuardDecision
	for _, userID := range []string{"ada", "nobody", ""} {
		ask(t, userID, authservice.GuardOptions{Source: source, OnDecision: func(_ *http.Request, decision authservice.GuardDecision) {
			told = append(told, decision)
		}})
	}
	if len(told) != 3 || told[0].Status != 200 || told[1].Status != 403 || told[1].UserID != "nobody" || told[2].Status != 401 {
		t.Errorf("told were %+v", told)
	}
}

func TestADeniedRequestCanBeAnsweredByTheApplicationButNotAdmitted(t *testing.T) {
	options := authservice.GuardOptions{Source: authservicetest.Decider{}}
	options.Denied = func(w http.ResponseWriter, r *http.Request, _ authservice.GuardDecision) {
		http.Redirect(w, r, "/login", http.StatusFound)
	}
	if answer := ask(t, "ada", options); answer.StatusCode != 302 || answer.Header.Get("Location") != "/login" {
		t.Errorf("the answer is %d", answer.StatusCode)
	}
	options.Denied = func(http.ResponseWriter, *http.Request, authservice.GuardDecision) {}
	expect(t, ask(t, "ada", options), 403, "access_denied")
	for _, write := range []func(http.ResponseWriter){
		func(w http.ResponseWriter) { w.WriteHeader(http.StatusOK) },
		func(w http.ResponseWriter) { _, _ = io.WriteString(w, "sorry") },
	} {
		options.Denied = func(w http.ResponseWriter, _ *http.Request, _ authservice.GuardDecision) { write(w) }
		if answer := ask(t, "ada", options); answer.StatusCode != 403 || strings.Contains(answer.text, "code") {
			t.Errorf("the answer is %d %s", answer.StatusCode, answer.text)
		}
	}
}

func TestTheOptionsOfAGuardAreChecked(t *testing.T) {
	source := authservicetest.Decider{}
	for name, options := range map[string]authservice.GuardOptions{
		"no source":         {UserID: userOf},
		"no user":           {Source: source},
		"no roles":          {Source: source, UserID: userOf, Roles: []string{}},
		"a nameless role":   {Source: source, UserID: userOf, Roles: []string{"a", ""}},
		"a wrong challenge": {Source: source, UserID: userOf, Challenge: "a\r\nb"},
		"a third choice":    {Source: source, UserID: userOf, WhenUnavailable: authservice.AllowWhenUnavailable + 1},
	} {
		if _, err := authservice.NewGuard(options); err == nil {
			t.Errorf("a guard with %s is created", name)
		}
	}
	// What the application does with its list afterwards opens nothing.
	roles := []string{"owner"}
	ada := authservicetest.Decider{"ada": {EffectiveStatus: authservice.Enabled, Roles: []authservice.Role{{Name: "editor"}}}}
	guard := must(authservice.NewGuard(authservice.GuardOptions{Source: ada, UserID: userOf, Roles: roles}))(t)
	roles[0] = "editor"
	request, recorder := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	request.Header.Set("X-User", "ada")
	if guard.Handler(welcome).ServeHTTP(recorder, request); recorder.Code != http.StatusForbidden {
		t.Errorf("the answer is %d", recorder.Code)
	}
	if _, ok := authservice.DecisionOf(background); ok {
		t.Error("a request that no guard has admitted has a decision")
	}
}
