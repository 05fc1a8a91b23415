package authservice_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"auth-service/authservice"
	"auth-service/authservice/authservicetest"
)

var background = context.Background()

// wants fails the test unless the error is of this class and has this code.
func wants(t *testing.T, err error, class error, code string) *authservice.Error {
	t.Helper()
	var failure *authservice.Error
	if !errors.As(err, &failure) {
		t.Fatalf("the error is %v, no error of the client", err)
	}
	if !errors.Is(err, class) || failure.Code != code {
		t.Errorf("the error is %v, not %v with %s", err, class, code)
	}
	return failure
}

// must fails the test with an error.
func must[Result any](result Result, err error) func(t *testing.T) Result {
	return func(t *testing.T) Result {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}

func TestEveryOperation(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}, Roles: []string{"editor"}})
	client := service.Client(authservice.Options{})
	if !must(client.IsAllowed(background, "ada"))(t) {
		t.Error("Ada may not enter")
	}
	access := must(client.GetAccess(background, "ada"))(t)
	if access.AppID != "billing" || access.Version != 0 || len(access.Roles) != 0 || !access.Until.IsZero() || !access.UpdatedAt.IsZero() {
		t.Errorf("the access is %+v", access)
	}
	until := service.Now().Add(time.Hour)
	setting := authservice.AccessSetting{Status: authservice.Disabled, Until: until, Reason: "left – “for good”", Ticket: "INC-1"}
	blocked := must(client.SetAccess(background, "ada", setting))(t)
	if !blocked.Changed || blocked.IsEnabled() || blocked.DecidedBy != "explicit" || blocked.Reason != setting.Reason || blocked.ChangeID == "" {
		t.Errorf("the access is %+v", blocked)
	}
	if difference := until.Sub(blocked.Until); difference < 0 || difference > time.Millisecond {
		t.Errorf("the block ends at %s, not %s", blocked.Until, until)
	}
	enabled := authservice.AccessSetting{Status: authservice.Enabled}
	if !must(client.SetAccess(background, "ada", enabled, authservice.IfVersion(blocked.Version)))(t).Changed {
		t.Error("the access was not changed")
	}
	_, err := client.SetAccess(background, "ada", enabled, authservice.IfVersion(blocked.Version))
	wants(t, err, authservice.ErrVersionMismatch, "version_mismatch")
	granted := must(client.AssignRole(background, "ada", authservice.Grant{Role: "editor", ExpiresAt: until}))(t)
	if !granted.May("editor") || granted.May("owner") || granted.Roles[0].ExpiresAt.Sub(until).Abs() > time.Millisecond {
		t.Errorf("the roles are %+v", granted.Roles)
	}
	if len(must(client.RevokeRole(background, "ada", authservice.Revocation{Role: "editor"}))(t).Roles) != 0 {
		t.Error("the role was not revoked")
	}
	if must(client.RevokeRole(background, "ada", authservice.Revocation{Role: "editor", Reason: "again"}))(t).Changed {
		t.Error("the role was revoked twice")
	}
	checked := must(client.CheckAccess(background, []string{"ada", "nobody"}))(t)
	if !checked[0].IsEnabled() || checked[1].IsEnabled() || checked[1].Access != nil || checked[1].UserID != "nobody" {
		t.Errorf("checked are %+v", checked)
	}
	readsPages(t, client)
}

func readsPages(t *testing.T, client *authservice.Client) {
	t.Helper()
	var actions []string
	cursor := ""
	reader := client.Changes(authservice.ChangesOptions{})
	for {
		page, err := reader.Next(background)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range page.Items {
			actions = append(actions, change.Action)
		}
		cursor = page.Cursor
	}
	if wanted := "access.changed access.changed role.assigned role.revoked"; !strings.HasSuffix(strings.Join(actions, " "), wanted) {
		t.Errorf("the changes are %v", actions)
	}
	if _, err := client.Changes(authservice.ChangesOptions{After: cursor}).Next(background); !errors.Is(err, io.EOF) {
		t.Errorf("after the last change comes %v", err)
	}
	snapshot := client.Snapshot()
	page := must(snapshot.Next(background))(t)
	var entry struct{ Kind, UserID string }
	if err := json.Unmarshal(page.Items[0], &entry); err != nil || len(page.Items) != 1 || entry.UserID != "ada" || page.ChangesCursor == "" {
		t.Errorf("the snapshot is %+v (%v)", page, err)
	}
	if _, err := snapshot.Next(background); !errors.Is(err, io.EOF) {
		t.Errorf("after the last page comes %v", err)
	}
}

func TestChangesArePolled(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	reader := service.Client(authservice.Options{}).Changes(authservice.ChangesOptions{Poll: 10 * time.Millisecond})
	go func() {
		time.Sleep(50 * time.Millisecond)
		service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	}()
	for {
		page := must(reader.Next(background))(t)
		if last := page.Items[len(page.Items)-1]; last.Action == "access.changed" && last.UserID == "ada" {
			break
		}
	}
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	if _, err := reader.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a reader that waits returned %v", err)
	}
}

func TestUserIDsArriveAsTheyAre(t *testing.T) {
	ids := []string{"auth0|123", "a+b@c.de", "urn:x:1", "x=y~z", "o'brien@example.com", "!$&'()*+,;=", "b64.aHR0", strings.Repeat("A", 128)}
	service := authservicetest.Start(t, authservicetest.Options{Users: ids})
	client := service.Client(authservice.Options{})
	for _, id := range ids {
		if changed := must(client.SetAccess(background, id, authservice.AccessSetting{Status: authservice.Disabled}))(t); changed.UserID != id {
			t.Errorf("%s was changed, not %s", changed.UserID, id)
		}
		if must(client.IsAllowed(background, id))(t) {
			t.Errorf("%s may enter", id)
		}
	}
}

func TestErrorsHaveClasses(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	client := service.Client(authservice.Options{})
	if must(client.IsAllowed(background, "nobody"))(t) || must(client.IsAllowed(background, "a/b"))(t) {
		t.Error("an unknown user may enter")
	}
	_, err := client.GetAccess(background, "nobody")
	wants(t, err, authservice.ErrNotFound, "user_not_found")
	_, err = client.AssignRole(background, "ada", authservice.Grant{Role: "nothing"})
	wants(t, err, authservice.ErrNotFound, "role_not_found")
	_, err = client.SetAccess(background, "ada", authservice.AccessSetting{Status: authservice.Disabled, Reason: strings.Repeat("x", 300)})
	wants(t, err, authservice.ErrInvalidRequest, "invalid_request")
	_, err = client.SetAccess(background, "..", authservice.AccessSetting{Status: authservice.Disabled})
	wants(t, err, authservice.ErrInvalidRequest, "invalid_request")
	_, err = client.RevokeRole(background, "ada", authservice.Revocation{Role: "a b"})
	wants(t, err, authservice.ErrInvalidRequest, "invalid_request")
	reader := service.IssueKey("access:read")
	_, err = service.Client(authservice.Options{KeyID: reader.ID, Secret: reader.Secret}).SetAccess(background, "ada", authservice.AccessSetting{Status: authservice.Disabled})
	failure := wants(t, err, authservice.ErrForbidden, "scope_missing")
	if failure.RequestID == "" || failure.Status != 403 || failure.Attempts != 1 || failure.Problem["status"] != 403.0 {
		t.Errorf("the error is %+v", failure)
	}
	wrong := authservice.Options{KeyID: service.Key.ID, Secret: "svs_" + strings.Repeat("A", 43)}
	_, err = service.Client(wrong).IsAllowed(background, "ada")
	if wants(t, err, authservice.ErrSignature, "signature_mismatch"); !strings.Contains(err.Error(), "wrong secret") {
		t.Errorf("the error is %v", err)
	}
}

func TestALostAnswerIsAskedForAgainAndTheWriteHappensOnce(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	client := service.Client(authservice.Options{})
	service.Fail(authservicetest.Failure{No: authservicetest.LostAnswer, Times: 2})
	if !must(client.SetAccess(background, "ada", authservice.AccessSetting{Status: authservice.Disabled}))(t).Changed {
		t.Error("the retry changed nothing")
	}
	var statuses []int
	for _, request := range service.Requests() {
		statuses = append(statuses, request.Status)
	}
	if !reflect.DeepEqual(statuses, []int{0, 0, 200}) {
		t.Errorf("the answers are %v", statuses)
	}
	if version := must(client.GetAccess(background, "ada"))(t).Version; version != 1 {
		t.Errorf("the access was changed %d times", version)
	}
}

func TestABlockEndsByTheClockOfTheService(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled, Until: service.Now().Add(time.Hour)})
	client := service.Client(authservice.Options{})
	if must(client.IsAllowed(background, "ada"))(t) {
		t.Error("Ada may enter before the block ends")
	}
	service.Advance(time.Hour)
	if access := must(client.GetAccess(background, "ada"))(t); !access.IsEnabled() || access.DecidedBy != "lapsed" {
		t.Errorf("the access is %+v", access)
	}
}

func TestAKeyCanBeRotatedWhileTheApplicationRuns(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	current := service.Key
	client := service.Client(authservice.Options{Key: func(context.Context) (authservice.Key, error) { return current, nil }})
	if !must(client.IsAllowed(background, "ada"))(t) {
		t.Error("Ada may not enter")
	}
	current = service.IssueKey("access:read")
	service.RevokeKey(service.Key.ID)
	if !must(client.IsAllowed(background, "ada"))(t) {
		t.Error("Ada may not enter with the new key")
	}
}

func TestTheChangesOfTheServiceAreVerified(t *testing.T) {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada"}})
	service.SetRollout(33.33)
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled, Reason: "left – “for good”"})
	keys := must(authservice.NewChangeKeys(authservice.ChangeKeysOptions{BaseURL: service.BaseURL}))(t)
	page := must(service.Client(authservice.Options{}).Changes(authservice.ChangesOptions{}).Next(background))(t)
	if len(page.Items) < 2 {
		t.Fatalf("there are %d changes", len(page.Items))
	}
	for _, change := range page.Items {
		if err := authservice.VerifyChange(background, change.Raw, keys); err != nil {
			t.Error(err)
		}
		altered := strings.Replace(string(change.Raw), `"id":"`, `"id":"X`, 1)
		var failure *authservice.ChangeNotVerifiedError
		if err := authservice.VerifyChange(background, []byte(altered), keys); !errors.As(err, &failure) || failure.Reason != authservice.Altered {
			t.Errorf("an altered change is %v", err)
		}
	}
	fetched := 0
	for _, request := range service.Requests() {
		if request.Path == "/api/service/change-keys" {
			fetched++
		}
	}
	if fetched != 1 {
		t.Errorf("the keys were fetched %d times", fetched)
	}
}
