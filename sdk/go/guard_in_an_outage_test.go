package authservice_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"auth-service/authservice"
	"auth-service/authservice/authservicetest"
)

// statusWith asks as ada, with a choice for an outage.
func statusWith(t *testing.T, source authservice.Decider, when authservice.WhenUnavailable) int {
	t.Helper()
	return ask(t, "ada", authservice.GuardOptions{Source: source, WhenUnavailable: when}).StatusCode
}

func TestInAnOutageEveryUserIsAdmittedWithoutRolesIfTheOptionsSaySo(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}, Roles: []string{"editor"}})
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	service.AssignRole("ada", authservice.Grant{Role: "editor"})
	source := service.Client(authservice.Options{MaxAttempts: 1})
	for _, failure := range []authservicetest.Failure{
		{No: authservicetest.NoAnswer}, {Code: "unavailable"}, {Status: 502},
	} {
		service.Fail(failure)
		expect(t, ask(t, "ada", authservice.GuardOptions{Source: source}), 503, "access_unavailable")
		var told authservice.GuardDecision
		options := authservice.GuardOptions{Source: source, WhenUnavailable: authservice.AllowWhenUnavailable}
		options.OnDecision = func(_ *http.Request, decision authservice.GuardDecision) { told = decision }
		if answer := ask(t, "ada", options); answer.StatusCode != 200 || answer.text != "welcome ada" {
			t.Errorf("in an outage by %+v the answer is %d %s", failure, answer.StatusCode, answer.text)
		}
		decision := told.Decision
		if decision.DecidedBy != "outage" || !decision.IsEnabled() || len(decision.Roles) != 0 || !errors.Is(told.Err, authservice.ErrUnavailable) {
			t.Errorf("told was %+v", told)
		}
		if options.Roles = []string{"editor"}; ask(t, "ada", options).StatusCode != 503 {
			t.Error("a guard with a role opens in an outage")
		}
		if options.Roles = nil; ask(t, "", options).StatusCode != 401 {
			t.Error("nobody is admitted in an outage")
		}
	}
}

func TestAnOpenCircuitAndAReplicaThatIsTooOldAreOutagesToo(t *testing.T) {
	for _, source := range []deciding{
		{err: &authservice.Error{Code: "circuit_open"}},
		{decision: authservice.Decision{UserID: "ada", EffectiveStatus: authservice.Disabled, Code: authservice.TooOld}},
	} {
		if statusWith(t, source, authservice.DenyWhenUnavailable) != 503 || statusWith(t, source, authservice.AllowWhenUnavailable) != 200 {
			t.Errorf("%+v is no outage", source)
		}
	}
}

func TestARefusalIsNotAnOutage(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	source := service.Client(authservice.Options{MaxAttempts: 1})
	// A leaked key or a flood must not open the application.
	for _, code := range []string{
		"key_revoked", "key_expired", "signature_mismatch", "scope_missing", "too_many_requests", "internal",
	} {
		service.Fail(authservicetest.Failure{Code: code})
		if status := statusWith(t, source, authservice.AllowWhenUnavailable); status != 503 {
			t.Errorf("the answer to %s is %d", code, status)
		}
	}
	for _, source := range []deciding{
		{err: errors.New("broken")},
		{decision: authservice.Decision{UserID: "ada", Code: authservice.KeyRefused}},
		{decision: authservice.Decision{UserID: "eve", EffectiveStatus: authservice.Enabled}},
	} {
		if status := statusWith(t, source, authservice.AllowWhenUnavailable); status != 503 {
			t.Errorf("the answer with %+v is %d", source, status)
		}
	}
}

func TestAClientThatHangsUpIsNotAnOutage(t *testing.T) {
	// Otherwise a blocked user could send a request and hang up, and the handler would still run.
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	source := service.Client(authservice.Options{})
	replica := open(t, source, authservice.ReplicaOptions{Unknown: authservice.AskWhenUnknown})
	service.Fail(authservicetest.Failure{No: authservicetest.Hang})
	for _, asked := range []authservice.Decider{source, replica} {
		options := authservice.GuardOptions{Source: asked, UserID: userOf, WhenUnavailable: authservice.AllowWhenUnavailable}
		guard := must(authservice.NewGuard(options))(t)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(50*time.Millisecond, cancel)
		request := httptest.NewRequest(http.MethodPost, "/", nil).WithContext(ctx)
		request.Header.Set("X-User", "untouched")
		recorder := httptest.NewRecorder()
		if guard.Handler(welcome).ServeHTTP(recorder, request); recorder.Code != 503 {
			t.Errorf("the answer is %d", recorder.Code)
		}
	}
}

func TestTheServiceStillDecidesWhileItAnswers(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	source := service.Client(authservice.Options{})
	if status := statusWith(t, source, authservice.AllowWhenUnavailable); status != 200 {
		t.Errorf("the answer is %d", status)
	}
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	if status := statusWith(t, source, authservice.AllowWhenUnavailable); status != 403 {
		t.Errorf("the answer about a blocked user is %d", status)
	}
}
