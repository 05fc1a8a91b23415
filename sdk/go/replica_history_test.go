package authservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"
)

type historyReport struct {
	At      float64
	Kind    string
	All     bool
	During  string
	Code    string
	UserIDs []string
}

type historyStep struct {
	At      float64
	Do      string
	UserID  string
	Fails   string
	Outcome struct {
		Decision *decisionJSON
		Error    string
	}
}

type historyExchange struct {
	At             float64
	Method, Target string
	Body           *struct{ UserIDs []string }
	Answer         kitAnswer
}

type historyCase struct {
	Name    string
	File    bool
	Options struct {
		StartTimeoutSeconds, MaxStalenessSeconds, VerifySeconds float64
		Unknown, WhenStale                                      string
	}
	Steps     []historyStep
	Exchanges []historyExchange
	Reports   []historyReport
}

func TestReplicaHistories(t *testing.T) {
	var cases []historyCase
	readKit(t, "replicas", &cases)
	for _, each := range cases {
		each := each
		t.Run(each.Name, func(t *testing.T) { newHistoryRun(t, each).all() })
	}
}

// historyRun lets a replica live through a history. A single goroutine does everything: while the SDK waits, what is due is run.
type historyRun struct {
	t       *testing.T
	given   historyCase
	time    *virtualTime
	left    []historyExchange
	reports []historyReport
	file    []byte
	core    *replicaCore
	// pollAt and remindAt are when the two routines of the replica are due; never before it is open and after it is closed.
	pollAt, remindAt time.Duration
	isPolling        bool
}

func newHistoryRun(t *testing.T, given historyCase) *historyRun {
	run := &historyRun{
		t:        t,
		given:    given,
		time:     &virtualTime{random: 0.5},
		left:     append([]historyExchange{}, given.Exchanges...),
		pollAt:   maxDuration,
		remindAt: maxDuration,
	}
	run.time.during = run.runUntil
	return run
}

func milliseconds(at float64) time.Duration {
	return time.Duration(at * float64(time.Millisecond))
}

// runUntil runs what is due until a time.
func (r *historyRun) runUntil(until time.Duration) {
	for {
		switch {
		case r.remindAt <= until && r.remindAt <= r.pollAt:
			r.advance(r.remindAt)
			r.remind()
		case r.pollAt <= until:
			r.advance(r.pollAt)
			r.poll()
		default:
			r.advance(until)
			return
		}
	}
}

func (r *historyRun) advance(at time.Duration) {
	if at > r.time.passed {
		r.time.passed = at
	}
}

func (r *historyRun) poll() {
	r.pollAt = maxDuration
	r.isPolling = true
	pause := r.core.poll(context.Background())
	r.isPolling = false
	if !r.core.isEnded {
		r.pollAt = r.time.passed + pause
		if r.core.isWoken {
			r.pollAt = r.time.passed
		}
	}
}

func (r *historyRun) remind() {
	r.remindAt = maxDuration
	if pause := r.core.remind(); pause != maxDuration {
		r.remindAt = r.time.passed + pause
	}
}

// wake ends the pauses of the routines.
func (r *historyRun) wake() {
	r.remindAt = r.time.passed
	if r.core.isWoken && !r.isPolling {
		r.pollAt = r.time.passed
	}
}

func (r *historyRun) all() {
	for _, step := range r.given.Steps {
		if step.Do == "checkOrAsk" {
			r.decide(step)
			continue
		}
		r.runUntil(milliseconds(step.At))
		switch step.Do {
		case "open":
			if err := r.open(); codeOf(err) != step.Fails {
				r.t.Fatalf("opening returned %v, not %q", err, step.Fails)
			}
		case "check":
			r.compare(step, r.core.check(step.UserID), nil)
		case "resync":
			if _, err := r.core.resync(); err != nil {
				r.t.Fatal(err)
			}
			r.runUntil(milliseconds(step.At))
		case "close":
			r.close()
		}
	}
	last := r.time.milliseconds()
	for _, each := range r.given.Exchanges {
		last = math.Max(last, each.At)
	}
	for _, each := range r.given.Reports {
		last = math.Max(last, each.At)
	}
	r.runUntil(milliseconds(last))
	for _, each := range r.left {
		r.t.Errorf("%s at %v was not sent", each.Target, each.At)
	}
	r.compareReports()
}

func (r *historyRun) open() error {
	given := r.given.Options
	seconds := func(given float64) time.Duration { return time.Duration(given * float64(time.Second)) }
	options := ReplicaOptions{
		StartTimeout: seconds(given.StartTimeoutSeconds),
		MaxStaleness: seconds(given.MaxStalenessSeconds),
		Verify:       seconds(given.VerifySeconds),
		Unknown:      map[string]WhenUnknown{"ask": AskWhenUnknown, "deny": DenyWhenUnknown}[given.Unknown],
		WhenStale:    map[string]WhenStale{"deny": DenyWhenStale, "goOn": GoOnWhenStale}[given.WhenStale],
		OnChange: func(change ReplicaChange) error {
			r.reports = append(r.reports, historyReport{At: r.time.milliseconds(), Kind: "change", All: change.All, UserIDs: change.UserIDs})
			return nil
		},
		OnError: func(failure ReplicaFailure) {
			report := historyReport{At: r.time.milliseconds(), Kind: "error", During: failure.During, UserIDs: failure.UserIDs}
			report.Code = codeOf(failure.Err)
			r.reports = append(r.reports, report)
		},
	}
	if r.given.File {
		options.File = "replica"
	}
	options, err := options.withDefaults()
	if err != nil {
		r.t.Fatal(err)
	}
	files := fileStore{
		read: func(string) ([]byte, error) { return r.file, nil },
		write: func(_ string, content []byte) error {
			r.file = content
			return nil
		},
	}
	client := r.time.client(r.t, Options{}, r.exchange)
	if r.core, err = newReplicaCore(context.Background(), client, options, files); err != nil {
		return err
	}
	r.core.wake = r.wake
	r.remind()
	r.poll()
	for {
		select {
		case <-r.core.synchronized.done:
			return r.core.synchronized.err
		default:
		}
		if r.core.hasData() {
			return nil
		}
		r.runUntil(r.pollAt)
	}
}

func (r *historyRun) close() {
	r.core.wake = func() {}
	r.core.end()
	r.pollAt, r.remindAt = maxDuration, maxDuration
	if err := r.core.save(); err != nil {
		r.t.Error(err)
	}
}

// decide asks the replica; its step has the time of the answer, and requests that are repeated are sent before.
func (r *historyRun) decide(step historyStep) {
	at := step.At
	if step.Outcome.Error != "" {
		for _, each := range r.given.Exchanges {
			if each.Target == "users/"+step.UserID+"/access" && each.At > step.At-5000 && each.At < at {
				at = each.At
			}
		}
	}
	r.runUntil(milliseconds(at))
	decision, err := r.core.decide(context.Background(), step.UserID)
	r.compare(step, decision, err)
	if !near(r.time.milliseconds(), step.At, 2) {
		r.t.Errorf("the answer came at %v, not %v", r.time.milliseconds(), step.At)
	}
}

func (r *historyRun) compare(step historyStep, decision Decision, err error) {
	if step.Outcome.Decision == nil {
		if codeOf(err) != step.Outcome.Error {
			r.t.Errorf("at %v %s fails with %v, not %s", step.At, step.UserID, err, step.Outcome.Error)
		}
		return
	}
	if err != nil {
		r.t.Errorf("at %v %s fails with %v", step.At, step.UserID, err)
		return
	}
	expected := *step.Outcome.Decision
	if !near(decision.Age.Seconds(), *expected.AgeSeconds, 0.002) || decision.UserID != expected.UserID {
		r.t.Errorf("at %v the decision about %s is %s old, not %v s", step.At, decision.UserID, decision.Age, *expected.AgeSeconds)
	}
	expected.AgeSeconds, expected.UserID = nil, ""
	if one, other := toJSON(decision), expected; !reflect.DeepEqual(one, other) {
		r.t.Errorf("at %v %s is %s, not %s", step.At, step.UserID, marshal(r.t, one), marshal(r.t, other))
	}
}

func (r *historyRun) exchange(_ context.Context, request signedRequest, _ time.Duration) (*answer, error) {
	target := strings.TrimPrefix(targetOf(request), "/api/service/")
	for i, each := range r.left {
		if each.Target != target {
			continue
		}
		r.left = append(r.left[:i:i], r.left[i+1:]...)
		if request.method != each.Method || !near(each.At, r.time.milliseconds(), 2) {
			r.t.Errorf("%s %s was sent at %v, not %v", request.method, target, r.time.milliseconds(), each.At)
		}
		if each.Answer.Fault != "" {
			return nil, errors.New(each.Answer.Fault)
		}
		if each.Body != nil {
			each.Answer.Body = r.inOrder(request.body, each)
		}
		return each.Answer.answer(r.t, nonceOf(r.t, request)), nil
	}
	r.t.Fatalf("%s at %v is not expected", target, r.time.milliseconds())
	return nil, nil
}

// inOrder gives the items of an answer in the order of the request.
func (r *historyRun) inOrder(body []byte, given historyExchange) []byte {
	var asked struct{ UserIDs []string }
	fill(r.t, body, &asked)
	var answered struct{ Items []json.RawMessage }
	fill(r.t, given.Answer.Body, &answered)
	if !reflect.DeepEqual(sorted(asked.UserIDs), sorted(given.Body.UserIDs)) {
		r.t.Errorf("%v were asked for, not %v", asked.UserIDs, given.Body.UserIDs)
	}
	items := map[string]json.RawMessage{}
	for _, item := range answered.Items {
		var user struct{ UserID string }
		fill(r.t, item, &user)
		items[user.UserID] = item
	}
	ordered := []json.RawMessage{}
	for _, userID := range asked.UserIDs {
		ordered = append(ordered, items[userID])
	}
	return marshal(r.t, map[string]any{"items": ordered})
}

func (r *historyRun) compareReports() {
	text := func(reports []historyReport) []string {
		result := []string{}
		for _, each := range reports {
			if each.UserIDs != nil {
				each.UserIDs = sorted(each.UserIDs)
			}
			each.At = math.Round(each.At / 10)
			result = append(result, fmt.Sprintf("%08v %+v", each.At, each))
		}
		return sorted(result)
	}
	if one, other := text(r.reports), text(r.given.Reports); !reflect.DeepEqual(one, other) {
		r.t.Errorf("the reports are\n%s\nnot\n%s", strings.Join(one, "\n"), strings.Join(other, "\n"))
	}
}

func sorted(texts []string) []string {
	result := append([]string{}, texts...)
	sort.Strings(result)
	return result
}
