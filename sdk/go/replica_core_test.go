package authservice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func numberedUser(i int) string {
	return fmt.Sprintf("user-%d", i)
}

// scripted answers the requests of a replica by functions of a test.
type scripted struct {
	t       *testing.T
	time    *virtualTime
	targets []string
	// written counts the files.
	written int
	// answer returns the body for a target, and what it asks for.
	answer func(target string, body []byte) any
}

func newScripted(t *testing.T, answer func(target string, body []byte) any) *scripted {
	return &scripted{t: t, time: &virtualTime{random: 0.5}, answer: answer}
}

func (s *scripted) exchange(_ context.Context, request signedRequest, _ time.Duration) (*answer, error) {
	target := strings.TrimPrefix(targetOf(request), "/api/service/")
	s.targets = append(s.targets, target)
	given := s.answer(target, request.body)
	if given == nil {
		return nil, errors.New("no answer")
	}
	return kitAnswer{Body: marshal(s.t, given)}.answer(s.t, nonceOf(s.t, request)), nil
}

// core returns a replica that has loaded its first snapshot.
func (s *scripted) core(options ReplicaOptions) *replicaCore {
	s.t.Helper()
	options, err := options.withDefaults()
	if err != nil {
		s.t.Fatal(err)
	}
	files := fileStore{
		read: func(string) ([]byte, error) { return nil, nil },
		write: func(string, []byte) error {
			s.written++
			return nil
		},
	}
	core, err := newReplicaCore(context.Background(), s.time.client(s.t, Options{}, s.exchange), options, files)
	if err != nil {
		s.t.Fatal(err)
	}
	core.poll(context.Background())
	if !core.hasData() {
		s.t.Fatalf("nothing was loaded: %v", s.targets)
	}
	s.targets = nil
	return core
}

func snapshotOf(items ...any) map[string]any {
	return map[string]any{
		"items": append([]any{}, items...), "cursor": nil, "total": len(items), "changesCursor": "c0", "rolloutPercent": 100, "applicationVersion": 1,
	}
}

func changesOf(cursor string, more bool, items ...any) map[string]any {
	return map[string]any{"items": append([]any{}, items...), "cursor": cursor, "more": more}
}

func blockOf(userID string, id int) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("01KB3ZC4N7Z3QF4V6E5T8S%04d", id), "action": "access.changed", "userId": userID, "signature": "a..b",
		"before": map[string]any{"status": "enabled", "explicit": false, "until": nil},
		"after":  map[string]any{"status": "disabled", "explicit": true, "until": nil},
	}
}

func TestAReplicaThatIsFarBehindReadsTheSnapshot(t *testing.T) {
	for _, unnumbered := range []string{"", "pending", "omitted"} {
		isPending := unnumbered != ""
		pages, isFar := 0, false
		world := newScripted(t, func(target string, _ []byte) any {
			switch {
			case strings.HasPrefix(target, "access?"):
				isFar = false
				return snapshotOf()
			case !isFar:
				return changesOf("c0", false)
			default:
				pages++
				page := changesOf(fmt.Sprintf("c%d", pages), pages < fewestPages+10, blockOf(numberedUser(pages), pages))
				if isPending {
					page[unnumbered] = 1
				}
				return page
			}
		})
		core := world.core(ReplicaOptions{})
		isFar = true
		core.poll(context.Background())
		wanted, snapshots := fewestPages, 1
		if isPending {
			wanted, snapshots = fewestPages+10, 0
		}
		read := strings.Count(strings.Join(world.targets, " "), "access?")
		if pages != wanted || read != snapshots {
			t.Errorf("%q: %d pages and %d snapshots were read", unnumbered, pages, read)
		}
	}
}

func TestAnUnusablePageIsAppliedNotAtAll(t *testing.T) {
	without := func(name string) map[string]any {
		change := blockOf("ben", 2)
		delete(change, name)
		return change
	}
	state := func(state map[string]any) map[string]any {
		change := blockOf("ben", 2)
		change["after"] = state
		return change
	}
	role := blockOf("ben", 2)
	role["action"], role["role"], role["before"], role["after"] = "role.assigned", "editor", nil, map[string]any{"granted": true}
	for name, change := range map[string]any{
		"no user":                  without("userId"),
		"no id":                    without("id"),
		"no state":                 without("after"),
		"no status":                state(map[string]any{"explicit": true}),
		"no explicit":              state(map[string]any{"status": "disabled"}),
		"a status that is no text": state(map[string]any{"status": 1, "explicit": true}),
		"a role without an end":    role,
		"no object":                "change",
	} {
		isWrong := false
		world := newScripted(t, func(target string, _ []byte) any {
			if strings.HasPrefix(target, "access?") {
				return snapshotOf()
			}
			if isWrong {
				return changesOf("c1", false, blockOf("ada", 1), change)
			}
			return changesOf("c0", false)
		})
		core := world.core(ReplicaOptions{})
		isWrong = true
		core.poll(context.Background())
		if !core.check("ada").IsEnabled() || core.loading.snapshot == nil {
			t.Errorf("a page with a change with %s was applied", name)
		}
	}
}

func TestAnUnusableEntryIsNotLoaded(t *testing.T) {
	entry := func(change func(map[string]any)) map[string]any {
		given := map[string]any{"kind": "access", "userId": "ada", "changeId": "", "status": "disabled", "until": nil, "roles": []any{}}
		change(given)
		return given
	}
	remove := func(name string) map[string]any {
		return entry(func(given map[string]any) { delete(given, name) })
	}
	for name, given := range map[string]map[string]any{
		"no user":   remove("userId"),
		"no id":     remove("changeId"),
		"no status": remove("status"),
		"no until":  remove("until"),
		"no roles":  remove("roles"),
		"a role without a name": entry(func(given map[string]any) {
			given["roles"] = []any{map[string]any{"expiresAt": nil}}
		}),
		"a role without an end": entry(func(given map[string]any) {
			given["roles"] = []any{map[string]any{"name": "editor"}}
		}),
	} {
		if _, err := readEntry(marshal(t, given)); !errors.Is(err, errIncomplete) {
			t.Errorf("an entry with %s was read (%v)", name, err)
		}
	}
	if found, err := readEntry(marshal(t, entry(func(map[string]any) {}))); err != nil || len(found) != 2 {
		t.Errorf("an entry is %v (%v)", found, err)
	}
}

func TestMoreDoubtsThanCanBeReadMakeTheReplicaReadTheSnapshot(t *testing.T) {
	reloads := 0
	clock := &virtualTime{}
	r := newRepair(clock.client(t, Options{}, nil).caller, nil, nil, time.Hour, nil, func() { reloads++ })
	for i := 0; i <= maxDoubts; i++ {
		r.doubt(numberedUser(i), value{})
		if wanted := i / maxDoubts; reloads != wanted {
			t.Fatalf("after %d doubts the snapshot was read %d times", i+1, reloads)
		}
	}
	if first := r.doubts.first(2); !reflect.DeepEqual(first, []string{numberedUser(0), numberedUser(1)}) {
		t.Errorf("the first doubts are %v", first)
	}
	if r.isBusy(); !r.isBusy() {
		t.Error("a repair with doubts is not busy")
	}
	if r.reset(); r.isBusy() {
		t.Error("doubts outlive a new snapshot")
	}
}

func TestASnapshotThatWasReadBeforeAResyncDoesNotEndIt(t *testing.T) {
	l := newLoading("billing", false)
	before := l.snapshot
	resynced := l.resync()
	if l.finish(before) || l.snapshot == nil {
		t.Error("an earlier snapshot has ended the resync")
	}
	select {
	case <-resynced.done:
		t.Error("the resync is settled")
	default:
	}
	if !l.finish(l.snapshot) || l.snapshot != nil {
		t.Error("the snapshot has not ended the resync")
	}
	<-resynced.done
}

func TestAnAnswerAboutAUserIsNotUsedIfAChangeCameMeanwhile(t *testing.T) {
	// An unsigned change makes the replica read ada again. With the poll that follows the answer comes another one.
	unsigned := func(id int) map[string]any {
		change := blockOf("ada", id)
		delete(change, "signature")
		return change
	}
	pages := []map[string]any{
		changesOf("c0", false),
		changesOf("c1", false, unsigned(1)),
		changesOf("c2", false, unsigned(1), unsigned(2)),
		changesOf("c3", false),
	}
	access := json.RawMessage(stubAccess)
	world := newScripted(t, func(target string, _ []byte) any {
		switch {
		case strings.HasPrefix(target, "access?"):
			return snapshotOf()
		case target == "access/check":
			return map[string]any{"items": []any{access}}
		}
		next := pages[0]
		if len(pages) > 1 {
			pages = pages[1:]
		}
		return next
	})
	core := world.core(ReplicaOptions{File: "replica"})
	for i := 0; i < 2; i++ {
		core.poll(context.Background())
	}
	if world.written != 1 {
		t.Errorf("within a minute the file was written %d times", world.written)
	}
	if core.repair.doubts.len() != 1 {
		t.Error("an answer that may be older than a change was used")
	}
	access = json.RawMessage(strings.Replace(stubAccess, `"status":"enabled","explicit":false`, `"status":"disabled","explicit":true`, 1))
	core.poll(context.Background())
	if core.repair.doubts.len() != 0 || core.check("ada").IsEnabled() {
		t.Errorf("ada was not read again: %v", world.targets)
	}
	// A restart must not bring back what was wrong.
	if world.written != 2 {
		t.Errorf("after the repair the file was written %d times", world.written)
	}
	core.end()
	events := len(core.events)
	if core.reportRepair(errors.New("aborted"), nil); len(core.events) != events {
		t.Error("what closing has aborted is reported")
	}
}

func TestAChangeForgetsWhatWasAsked(t *testing.T) {
	for name, change := range map[string]map[string]any{"signed": blockOf("zoe", 1), "unsigned": blockOf("zoe", 1)} {
		if name == "unsigned" {
			delete(change, "signature")
		}
		items := []any{}
		world := newScripted(t, func(target string, _ []byte) any {
			switch {
			case strings.HasPrefix(target, "access?"):
				return snapshotOf()
			case strings.HasPrefix(target, "changes"):
				return changesOf("c1", false, items...)
			}
			return json.RawMessage(strings.ReplaceAll(stubAccess, "ada", "zoe"))
		})
		core := world.core(ReplicaOptions{Unknown: AskWhenUnknown})
		if decision, err := core.decide(context.Background(), "zoe"); err != nil || !decision.IsEnabled() {
			t.Fatal(decision, err)
		}
		items = append(items, change)
		core.poll(context.Background())
		if _, isKnown := core.asked.exists("zoe"); isKnown {
			t.Errorf("%s: zoe is still remembered", name)
		}
		core.asked.remember("zoe", true)
		if _, err := core.resync(); err != nil {
			t.Fatal(err)
		}
		items = items[:0]
		core.poll(context.Background())
		if _, isKnown := core.asked.exists("zoe"); isKnown {
			t.Errorf("%s: zoe is still remembered after a resync", name)
		}
	}
}

func TestAFileThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	world := newScripted(t, func(target string, _ []byte) any {
		if strings.HasPrefix(target, "access?") {
			return snapshotOf()
		}
		return changesOf("c0", false)
	})
	core := world.core(ReplicaOptions{})
	core.options.File = "replica"
	core.savedAt = -maxDuration
	failure := errors.New("the disk is full")
	written := 0
	core.files.write = func(string, []byte) error {
		written++
		return failure
	}
	if err := core.save(); !errors.Is(err, failure) {
		t.Errorf("saving returned %v", err)
	}
	failure = nil
	for i := 0; i < 2; i++ {
		if err := core.save(); err != nil || written != 2 {
			t.Errorf("saving wrote %d times and returned %v", written, err)
		}
	}
}

func TestAnUnsignedChangeDuringTheLoadMakesTheReplicaReadTheUser(t *testing.T) {
	unsigned := blockOf("ada", 1)
	delete(unsigned, "signature")
	world := newScripted(t, func(target string, _ []byte) any {
		switch {
		case strings.HasPrefix(target, "access?"):
			return snapshotOf()
		case target == "access/check":
			return map[string]any{"items": []any{json.RawMessage(stubAccess)}}
		}
		return changesOf("c1", false, unsigned)
	})
	core := world.core(ReplicaOptions{})
	for i := 0; i < 2; i++ {
		core.poll(context.Background())
	}
	after := "changes?limit=100&after=c1&pending=new"
	wanted := []string{"access/check", after, after}
	if !reflect.DeepEqual(world.targets, wanted) || !core.check("ada").IsEnabled() {
		t.Errorf("the requests are %v", world.targets)
	}
}

func TestTheChangesOfAPageContinueEachOtherInAnyOrder(t *testing.T) {
	first, second := blockOf("ada", 1), blockOf("ada", 2)
	second["before"], second["after"] = first["after"], map[string]any{"status": "enabled", "explicit": true, "until": nil}
	items := []any{}
	world := newScripted(t, func(target string, _ []byte) any {
		if strings.HasPrefix(target, "access?") {
			return snapshotOf()
		}
		return changesOf("c1", false, items...)
	})
	core := world.core(ReplicaOptions{})
	items = append(items, second, first)
	core.poll(context.Background())
	if decision := core.check("ada"); core.repair.doubts.len() != 0 || !decision.IsEnabled() || decision.DecidedBy != "explicit" {
		t.Errorf("there are %d doubts, and the decision is %+v", core.repair.doubts.len(), decision)
	}
}

func TestWhatHappenedBeforeClosingIsTold(t *testing.T) {
	world := newScripted(t, func(target string, _ []byte) any {
		if strings.HasPrefix(target, "access?") {
			return snapshotOf()
		}
		return changesOf("c0", false)
	})
	told := 0
	core := world.core(ReplicaOptions{OnError: func(ReplicaFailure) { told++ }})
	core.report("poll", errors.New("no answer"), nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	replica := &Replica{core: core}
	replica.live.Add(1)
	if replica.remind(ctx); told != 1 {
		t.Errorf("told were %d failures", told)
	}
}
