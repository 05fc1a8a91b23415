package authservice_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"auth-service/authservice"
	"auth-service/authservice/authservicetest"
)

// Random decisions of the replica against those of the TypeScript replica, over the feed of a running service. REPLICA_DECISIONS
// says how many are compared.

var (
	comparedUsers = append(numbered(30), "auth0|a+b", "o'brien@example.com", "A", strings.Repeat("z", 128))
	unknownUsers  = []string{"nobody", "User-1", "a/b", ".."}
	comparedRoles = []string{"admin", "editor", "viewer"}
)

func numbered(count int) []string {
	users := make([]string, count)
	for i := range users {
		users[i] = fmt.Sprintf("user-%d", i)
	}
	return users
}

// typescriptReplica decides when it is asked, by a process of Node.js.
type typescriptReplica struct {
	t      *testing.T
	input  io.WriteCloser
	output *bufio.Reader
}

func startTypescriptReplica(t *testing.T, service *authservicetest.Service) *typescriptReplica {
	t.Helper()
	options := must(json.Marshal(map[string]any{
		"baseUrl": service.BaseURL,
		"keyId":   service.Key.ID,
		"secret":  service.Key.Secret,
		"replica": map[string]any{"pollSeconds": 0.02, "maxStalenessSeconds": 0.1, "whenStale": "goOn"},
	}))(t)
	node := os.Getenv("AUTH_SERVICE_NODE")
	if node == "" {
		node = "node"
	}
	client := os.Getenv("AUTH_SERVICE_CLIENT")
	if client == "" {
		client = "../../node_modules/@auth-service/client"
	}
	command := exec.Command(node, "../python/tests/typescript_replica.mjs", must(filepath.Abs(client))(t), string(options))
	command.Stderr = os.Stderr
	input := must(command.StdinPipe())(t)
	output := must(command.StdoutPipe())(t)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		if err := command.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &typescriptReplica{t, input, bufio.NewReader(output)}
}

// decided is a decision as both replicas write it.
type decided struct {
	EffectiveStatus string
	DecidedBy, Code *string
	Roles           []struct {
		Name      string
		ExpiresAt *time.Time
	}
}

func (r *typescriptReplica) ask(command map[string]any) []decided {
	r.t.Helper()
	line := must(json.Marshal(command))(r.t)
	if _, err := r.input.Write(append(line, '\n')); err != nil {
		r.t.Fatal(err)
	}
	var decisions []decided
	if err := json.Unmarshal(must(r.output.ReadBytes('\n'))(r.t), &decisions); err != nil {
		r.t.Fatal(err)
	}
	return decisions
}

func decidedOf(decision authservice.Decision) decided {
	orNil := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	result := decided{EffectiveStatus: string(decision.EffectiveStatus), DecidedBy: orNil(decision.DecidedBy), Code: orNil(string(decision.Code))}
	for _, role := range decision.Roles {
		held := struct {
			Name      string
			ExpiresAt *time.Time
		}{Name: role.Name}
		if expiresAt := role.ExpiresAt; !expiresAt.IsZero() {
			held.ExpiresAt = &expiresAt
		}
		result.Roles = append(result.Roles, held)
	}
	if result.Roles == nil {
		result.Roles = make([]struct {
			Name      string
			ExpiresAt *time.Time
		}, 0)
	}
	return result
}

// refusing lets a service refuse what a random change asks for: the user does not exist, exists already, or was erased a short time
// ago.
type refusing struct {
	testing.TB
}

func (r refusing) Fatalf(format string, args ...any) {
	r.Helper()
	for _, arg := range args {
		if err, isError := arg.(error); isError {
			for _, code := range []string{"user_not_found", "already_exists", "unavailable", "invalid_request"} {
				if strings.HasPrefix(err.Error(), "authservice: "+code+":") {
					return
				}
			}
		}
	}
	r.TB.Fatalf(format, args...)
}

type comparison struct {
	t        *testing.T
	service  *authservicetest.Service
	other    *typescriptReplica
	client   *authservice.Client
	replica  *authservice.Replica
	file     string
	chance   *rand.Rand
	isDown   bool
	compared int
	repeated int
}

func TestBothReplicasDecideTheSame(t *testing.T) {
	wanted := 3000
	if given := os.Getenv("REPLICA_DECISIONS"); given != "" {
		wanted = must(strconv.Atoi(given))(t)
	}
	compared, repeated := 0, 0
	for seed := 0; compared < wanted; seed++ {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			options := authservicetest.Options{Users: comparedUsers[:10+seed%20], Roles: comparedRoles}
			service := authservicetest.Start(refusing{t}, options)
			c := &comparison{
				t:       t,
				service: service,
				other:   startTypescriptReplica(t, service),
				client:  service.Client(authservice.Options{}),
				file:    filepath.Join(t.TempDir(), "replica"),
				chance:  rand.New(rand.NewSource(int64(seed))),
			}
			c.open()
			defer c.close()
			for i := 0; i < 20; i++ {
				c.round()
			}
			compared, repeated = compared+c.compared, repeated+c.repeated
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d decisions, %d comparisons repeated", compared, repeated)
}

func (c *comparison) open() {
	c.t.Helper()
	options := authservice.ReplicaOptions{
		Poll: fast, MaxStaleness: 100 * time.Millisecond, WhenStale: authservice.GoOnWhenStale, File: c.file,
	}
	c.replica = must(authservice.OpenReplica(background, c.client, options))(c.t)
}

func (c *comparison) close() {
	if err := c.replica.Close(); err != nil {
		c.t.Error(err)
	}
}

func (c *comparison) changes(least, most int) {
	for i := least + c.chance.Intn(most-least+1); i > 0; i-- {
		c.change()
	}
}

func (c *comparison) round() {
	c.changes(1, 6)
	if c.chance.Float64() < 0.1 {
		c.close()
		c.open()
	}
	c.catchUp()
	c.compareWithService()
	if c.chance.Float64() < 0.2 {
		// During an outage both decide by what they know.
		c.isDown = true
		c.service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
		c.changes(1, 4)
	}
	for i := 0; i < 8; i++ {
		c.compare()
		seconds := []float64{0.05, 0.4, 1, 7, 60, 900}[c.chance.Intn(6)]
		c.advance(time.Duration(seconds * float64(time.Second)))
	}
	c.isDown = false
	c.service.Recover()
	if c.chance.Float64() < 0.02 {
		c.advance([]time.Duration{7, 31}[c.chance.Intn(2)] * 24 * time.Hour)
		c.catchUp()
		c.compare()
	}
}

func (c *comparison) change() {
	user, role := comparedUsers[c.chance.Intn(len(comparedUsers))], comparedRoles[c.chance.Intn(len(comparedRoles))]
	end := c.service.Now().Add([]time.Duration{1, 5, 30, 600, 86_400}[c.chance.Intn(5)] * time.Second)
	changes := []struct {
		weight float64
		make   func()
	}{
		{3, func() { c.service.SetAccess(user, authservice.AccessSetting{Status: authservice.Disabled}) }},
		{3, func() { c.service.SetAccess(user, authservice.AccessSetting{Status: authservice.Disabled, Until: end}) }},
		{2, func() { c.service.SetAccess(user, authservice.AccessSetting{Status: authservice.Enabled}) }},
		{3, func() { c.service.AssignRole(user, authservice.Grant{Role: role}) }},
		{3, func() { c.service.AssignRole(user, authservice.Grant{Role: role, ExpiresAt: end}) }},
		{2, func() { c.service.RevokeRole(user, role) }},
		{3, func() { c.service.SetUserStatus(user, []string{"active", "inactive"}[c.chance.Intn(2)]) }},
		{1, func() { c.service.SetRollout([]float64{100, 100, 0, 50, 33.33}[c.chance.Intn(5)]) }},
		{0.3, func() { c.service.DeleteUser(user) }},
		{2, func() { c.service.CreateUser(user) }},
	}
	left := c.chance.Float64() * 22.3
	for _, each := range changes {
		if left -= each.weight; left < 0 {
			each.make()
			return
		}
	}
}

// advance lets time pass for everyone. A replica that polled while only some of the clocks have moved would estimate the service's
// time only to a second.
func (c *comparison) advance(duration time.Duration) {
	c.service.Fail(authservicetest.Failure{No: authservicetest.NoAnswer})
	time.Sleep(10 * time.Millisecond)
	c.service.Advance(duration)
	c.other.ask(map[string]any{"advance": duration.Seconds()})
	if !c.isDown {
		c.service.Recover()
	}
}

func (c *comparison) catchUp() {
	since := time.Now()
	eventually(c.t, func() bool { return c.replica.Age() < time.Since(since) })
	c.other.ask(map[string]any{"follow": true})
}

func (c *comparison) compare() {
	users := append(append([]string{}, comparedUsers...), unknownUsers...)
	decide := func() (ours, theirs []decided) {
		for _, user := range users {
			ours = append(ours, decidedOf(c.replica.Check(user)))
		}
		return ours, c.other.ask(map[string]any{"users": users})
	}
	ours, theirs := decide()
	for i := 0; i < 4 && !reflect.DeepEqual(ours, theirs); i++ {
		// Each replica knows the service's time to a second, so that what ends may end for one of them first.
		c.repeated++
		c.advance(1100 * time.Millisecond)
		ours, theirs = decide()
	}
	for i, user := range users {
		if !reflect.DeepEqual(ours[i], theirs[i]) {
			c.t.Fatalf("the decisions about %s are %s and %s", user, must(json.Marshal(ours[i]))(c.t), must(json.Marshal(theirs[i]))(c.t))
		}
	}
	c.compared += len(users)
}

func (c *comparison) compareWithService() {
	for _, answer := range must(c.client.CheckAccess(background, comparedUsers))(c.t) {
		decision := c.replica.Check(answer.UserID)
		if answer.IsEnabled() == decision.IsEnabled() {
			continue
		}
		// Only an id that was never created, or is free again, is unknown to the service and not to the replica.
		if answer.Access != nil || decision.DecidedBy != "default" && decision.DecidedBy != "rollout" {
			c.t.Fatalf("the service decides %+v, and the replica %+v", answer, decision)
		}
	}
}
