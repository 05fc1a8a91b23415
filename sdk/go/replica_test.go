package authservice_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"auth-service/authservice"
	"auth-service/authservice/authservicetest"
)

const fast = 20 * time.Millisecond

// eventually waits until a condition holds.
func eventually(t *testing.T, check func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !check(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never happened")
		}
	}
}

// open opens a replica that is closed with the test.
func open(t *testing.T, client *authservice.Client, options authservice.ReplicaOptions) *authservice.Replica {
	t.Helper()
	replica := must(authservice.OpenReplica(background, client, options))(t)
	t.Cleanup(func() {
		if err := replica.Close(); err != nil {
			t.Error(err)
		}
	})
	return replica
}

// reports collects what a replica tells.
type reports struct {
	mu       sync.Mutex
	changes  []authservice.ReplicaChange
	failures []authservice.ReplicaFailure
}

func (r *reports) onChange(change authservice.ReplicaChange) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, change)
	return nil
}

func (r *reports) onError(failure authservice.ReplicaFailure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, failure)
}

// told returns the users of all changes, and all for a rollout.
func (r *reports) told() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	users := map[string]bool{}
	for _, change := range r.changes {
		users["all"] = users["all"] || change.All
		for _, userID := range change.UserIDs {
			users[userID] = true
		}
	}
	return users
}

func (r *reports) during() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var during []string
	for _, failure := range r.failures {
		during = append(during, failure.During)
	}
	return during
}

func startWithUsers(t *testing.T) *authservicetest.Service {
	service := authservicetest.Start(t, authservicetest.Options{Users: []string{"ada", "ben", "zoe"}, Roles: []string{"editor"}})
	service.SetAccess("ben", authservice.AccessSetting{Status: authservice.Disabled})
	return service
}

func TestAReplicaDecidesAndFollows(t *testing.T) {
	service, told := startWithUsers(t), &reports{}
	replica := open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{Poll: fast, OnChange: told.onChange})
	if !replica.Check("ada").IsEnabled() || replica.Check("ben").IsEnabled() {
		t.Error("the replica decides otherwise than the service")
	}
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	service.AssignRole("zoe", authservice.Grant{Role: "editor", ExpiresAt: service.Now().Add(time.Hour)})
	eventually(t, func() bool { return !replica.Check("ada").IsEnabled() && replica.Check("zoe").May("editor") })
	eventually(t, func() bool {
		return reflect.DeepEqual(told.told(), map[string]bool{"all": false, "ada": true, "zoe": true})
	})
	service.Advance(time.Hour)
	if roles := replica.Check("zoe").Roles; len(roles) != 0 {
		t.Errorf("the roles are %v", roles)
	}
	service.SetRollout(0)
	eventually(t, func() bool { return told.told()["all"] })
	if decision := replica.Check("zoe"); decision.DecidedBy != "rollout" || decision.IsEnabled() {
		t.Errorf("the decision is %+v", decision)
	}
	service.DeleteUser("ada")
	eventually(t, func() bool { return replica.Check("ada").Code == authservice.NoUser })
}

func TestWhatExpiresIsToldWithoutARequest(t *testing.T) {
	service, told := startWithUsers(t), &reports{}
	service.SetAccess("zoe", authservice.AccessSetting{Status: authservice.Disabled, Until: service.Now().Add(4 * time.Second)})
	replica := open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{Poll: time.Hour, MaxStaleness: 2 * time.Hour, OnChange: told.onChange})
	eventually(t, func() bool { return told.told()["zoe"] })
	if decision := replica.Check("zoe"); !decision.IsEnabled() || decision.DecidedBy != "lapsed" {
		t.Errorf("the decision is %+v", decision)
	}
}

func TestSessionsEndWithABlock(t *testing.T) {
	service := startWithUsers(t)
	var mu sync.Mutex
	sessions := map[string]bool{"ada": true, "zoe": true}
	var replica *authservice.Replica
	opened := make(chan struct{})
	replica = open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{Poll: fast, OnChange: func(change authservice.ReplicaChange) error {
		<-opened
		mu.Lock()
		defer mu.Unlock()
		for _, userID := range change.UserIDs {
			if !replica.Check(userID).IsEnabled() {
				delete(sessions, userID)
			}
		}
		return nil
	}})
	close(opened)
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return !sessions["ada"]
	})
	if !sessions["zoe"] {
		t.Error("another session has ended")
	}
}

func TestAnUnknownIDIsAskedForOnce(t *testing.T) {
	service := startWithUsers(t)
	replica := open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{Unknown: authservice.AskWhenUnknown})
	if replica.Check("ada").Code != authservice.NothingKnown {
		t.Error("an id of which nothing is known is decided about")
	}
	if !must(replica.Decide(background, "ada"))(t).IsEnabled() || !replica.Check("ada").IsEnabled() {
		t.Error("Ada may not enter")
	}
	if must(replica.Decide(background, "ADA"))(t).Code != authservice.NoUser || must(replica.Decide(background, "a/b"))(t).Code != authservice.NoUser {
		t.Error("an unknown user is decided about")
	}
	asked := len(service.Requests())
	must(replica.Decide(background, "ada"))(t)
	if replica.Check("ADA").Code != authservice.NoUser || len(service.Requests()) != asked {
		t.Error("the service was asked twice")
	}
}

func TestAnOutage(t *testing.T) {
	service, told := startWithUsers(t), &reports{}
	client := service.Client(authservice.Options{MaxAttempts: 1})
	replica := open(t, client, authservice.ReplicaOptions{Poll: fast, MaxStaleness: 300 * time.Millisecond, OnError: told.onError})
	service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
	eventually(t, func() bool { return replica.Check("ada").Code == authservice.TooOld })
	if _, err := replica.Decide(background, "ada"); !errors.Is(err, authservice.ErrUnavailable) {
		t.Errorf("asking in an outage returned %v", err)
	}
	eventually(t, func() bool { return len(told.during()) > 0 && told.during()[0] == "poll" })
	service.Recover()
	eventually(t, func() bool { return replica.Check("ada").IsEnabled() })
}

func TestARefusedKey(t *testing.T) {
	service := startWithUsers(t)
	key := service.IssueKey("access:read")
	client := service.Client(authservice.Options{KeyID: key.ID, Secret: key.Secret})
	replica := open(t, client, authservice.ReplicaOptions{Poll: fast, MaxStaleness: 200 * time.Millisecond, WhenStale: authservice.GoOnWhenStale})
	service.RevokeKey(key.ID)
	eventually(t, func() bool { return replica.Check("ada").Code == authservice.KeyRefused })
	if err := replica.Close(); err != nil {
		t.Error(err)
	}
	before := len(service.Requests())
	_, err := authservice.OpenReplica(background, client, authservice.ReplicaOptions{})
	wants(t, err, authservice.ErrSignature, "key_revoked")
	if sent := len(service.Requests()) - before; sent != 1 {
		t.Errorf("a start with a refused key sent %d requests", sent)
	}
}

func TestAStartEnds(t *testing.T) {
	service := startWithUsers(t)
	service.Fail(authservicetest.Failure{No: authservicetest.Hang})
	client := service.Client(authservice.Options{Timeout: 500 * time.Millisecond})
	if _, err := authservice.OpenReplica(background, client, authservice.ReplicaOptions{StartTimeout: 200 * time.Millisecond}); !errors.Is(err, authservice.ErrUnavailable) {
		t.Errorf("a start that takes too long returned %v", err)
	}
	ctx, cancel := context.WithTimeout(background, 100*time.Millisecond)
	defer cancel()
	if _, err := authservice.OpenReplica(ctx, service.Client(authservice.Options{}), authservice.ReplicaOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a start whose context ends returned %v", err)
	}
}

func TestAKeyThatCannotBeReadEndsTheStart(t *testing.T) {
	service := startWithUsers(t)
	for _, each := range []struct {
		source authservice.KeySource
		class  error
	}{
		{func(context.Context) (authservice.Key, error) {
			return authservice.Key{}, errors.New("no secret store")
		}, authservice.ErrUnavailable},
		{func(context.Context) (authservice.Key, error) { return authservice.Key{ID: "svk_"}, nil }, authservice.ErrSignature},
		{func(ctx context.Context) (authservice.Key, error) {
			<-ctx.Done()
			return authservice.Key{}, ctx.Err()
		}, context.DeadlineExceeded},
	} {
		options := authservice.ReplicaOptions{StartTimeout: 50 * time.Millisecond}
		if _, err := authservice.OpenReplica(background, service.Client(authservice.Options{Key: each.source}), options); !errors.Is(err, each.class) {
			t.Errorf("the start returned %v, not %v", err, each.class)
		}
	}
}

func TestAFile(t *testing.T) {
	service, told := startWithUsers(t), &reports{}
	client := service.Client(authservice.Options{})
	folder := t.TempDir()
	options := authservice.ReplicaOptions{File: filepath.Join(folder, "replica"), OnError: told.onError}
	openAndClose := func(client *authservice.Client, use func(*authservice.Replica)) {
		t.Helper()
		replica := must(authservice.OpenReplica(background, client, options))(t)
		use(replica)
		if err := replica.Close(); err != nil {
			t.Error(err)
		}
	}
	deniesBen := func(replica *authservice.Replica) {
		t.Helper()
		if replica.Check("ben").IsEnabled() || !replica.Check("ada").IsEnabled() {
			t.Error("the replica decides otherwise than the service")
		}
	}
	openAndClose(client, deniesBen)
	info := must(os.Stat(options.File))(t)
	if entries := must(os.ReadDir(folder))(t); info.Mode().Perm() != 0o600 || len(entries) != 1 {
		t.Errorf("the file has the mode %v, and the folder %v", info.Mode(), entries)
	}
	service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
	openAndClose(client, func(replica *authservice.Replica) {
		deniesBen(replica)
		ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
		defer cancel()
		if err := replica.WaitSynchronized(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("without the service it is synchronized: %v", err)
		}
		service.Recover()
		if err := replica.Resync(background); err != nil {
			t.Error(err)
		}
		if err := replica.WaitSynchronized(background); err != nil {
			t.Error(err)
		}
	})
	// Another key ignores the file, and so does anyone once it is damaged.
	other := service.IssueKey()
	otherClient := service.Client(authservice.Options{KeyID: other.ID, Secret: other.Secret})
	told.failures = nil
	openAndClose(otherClient, deniesBen)
	if len(told.failures) != 1 || !errors.Is(told.failures[0].Err, authservice.ErrFileNotUsable) {
		t.Errorf("the failures are %v", told.failures)
	}
	content := must(os.ReadFile(options.File))(t)
	for _, damaged := range [][]byte{append([]byte{content[0] ^ 1}, content[1:]...), content[:40], {}, content[:len(content)-1]} {
		if err := os.WriteFile(options.File, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		told.failures = nil
		openAndClose(otherClient, deniesBen)
		if len(told.failures) != 1 || told.failures[0].During != "file" {
			t.Errorf("the failures are %v", told.failures)
		}
	}
	options.File = filepath.Join(folder, "nowhere", "replica")
	replica := must(authservice.OpenReplica(background, client, options))(t)
	if err := replica.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that cannot be written returned %v", err)
	}
}

func TestClosingDoesNotWaitForAnAnswer(t *testing.T) {
	service := startWithUsers(t)
	replica := must(authservice.OpenReplica(background, service.Client(authservice.Options{Timeout: 300 * time.Second}), authservice.ReplicaOptions{Poll: fast}))(t)
	service.Fail(authservicetest.Failure{No: authservicetest.Hang})
	waiting := make(chan error)
	go func() { waiting <- replica.Resync(background) }()
	time.Sleep(200 * time.Millisecond)
	startedAt := time.Now()
	for i := 0; i < 2; i++ {
		if err := replica.Close(); err != nil {
			t.Error(err)
		}
	}
	if taken := time.Since(startedAt); taken > time.Minute {
		t.Errorf("closing took %s", taken)
	}
	if err := <-waiting; !errors.Is(err, authservice.ErrReplicaClosed) {
		t.Errorf("what waited returned %v", err)
	}
	if err := replica.Resync(background); !errors.Is(err, authservice.ErrReplicaClosed) {
		t.Errorf("a closed replica reads again: %v", err)
	}
	if !replica.Check("ada").IsEnabled() {
		t.Error("a closed replica has forgotten")
	}
}

func TestTheErrorOfACallbackIsReported(t *testing.T) {
	service, told := startWithUsers(t), &reports{}
	open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{
		Poll: fast, OnError: told.onError,
		OnChange: func(authservice.ReplicaChange) error { return errors.New("no session store") },
	})
	service.SetAccess("ada", authservice.AccessSetting{Status: authservice.Disabled})
	eventually(t, func() bool { return strings.Join(told.during(), " ") == "on_change" })
}

func TestManyGoroutinesUseOneReplica(t *testing.T) {
	service := startWithUsers(t)
	replica := open(t, service.Client(authservice.Options{}), authservice.ReplicaOptions{Poll: fast, Unknown: authservice.AskWhenUnknown})
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 50; j++ {
				for _, userID := range []string{"ada", "ben", "nobody"} {
					decision, err := replica.Decide(background, userID)
					if err != nil || decision.IsEnabled() != (userID == "ada") {
						t.Errorf("the decision about %s is %+v (%v)", userID, decision, err)
					}
				}
			}
		}()
	}
	for i := 0; i < 20; i++ {
		service.AssignRole("ada", authservice.Grant{Role: "editor"})
		service.RevokeRole("ada", "editor")
		if err := replica.Resync(background); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
}

func TestTheOptionsOfAReplicaAreChecked(t *testing.T) {
	client := authservicetest.Start(t, authservicetest.Options{}).Client(authservice.Options{})
	for _, options := range []authservice.ReplicaOptions{
		{Poll: -1}, {MaxStaleness: -1}, {StartTimeout: -1}, {WhenStale: 3}, {WhenStale: -1}, {Unknown: 3}, {Unknown: -1},
	} {
		if _, err := authservice.OpenReplica(background, client, options); err == nil {
			t.Errorf("a replica with %+v is opened", options)
		}
	}
}
