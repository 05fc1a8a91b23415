package authservice

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"
)

const benchEntries = 100_000

// benchEntry is an entry with a block, and every tenth with a role too.
func benchEntry(i int) json.RawMessage {
	roles := "[]"
	if i%10 == 0 {
		roles = `[{"name":"editor","expiresAt":null}]`
	}
	return json.RawMessage(fmt.Sprintf(
		`{"kind":"access","userId":"auth0|%024d","changeId":"01KB3ZC4N7Z3QF4V6E5T8S%04d","status":"disabled","until":null,"roles":%s}`,
		i, i%10_000, roles,
	))
}

// benchCore returns a replica with as many entries, as it is after a complete poll, and the memory that it takes.
func benchCore(b *testing.B) (core *replicaCore, bytes uint64) {
	b.Helper()
	clock := &virtualTime{}
	client := clock.client(b, Options{}, nil)
	client.caller.clocks = systemClocks(nil)
	options, err := ReplicaOptions{MaxStaleness: time.Hour}.withDefaults()
	if err != nil {
		b.Fatal(err)
	}
	if core, err = newReplicaCore(context.Background(), client, options, fileSystem); err != nil {
		b.Fatal(err)
	}
	before := heap()
	state := newReplicaState("billing")
	for i := 0; i < benchEntries; i++ {
		read, err := readEntry(benchEntry(i))
		if err != nil {
			b.Fatal(err)
		}
		state.addPage(page{facts: read}, 0)
	}
	core.replaceState(state)
	core.knowledge.settle(nil)
	return core, heap() - before
}

func heap() uint64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

func BenchmarkCheck(b *testing.B) {
	core, bytes := benchCore(b)
	users := make([]string, 1024)
	for i := range users {
		users[i] = fmt.Sprintf("auth0|%024d", i*97)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		if core.check(users[i%len(users)]).IsEnabled() {
			b.Fatal("a blocked user may enter")
		}
	}
	b.ReportMetric(float64(bytes)/(1<<20), "MB/100000-entries")
}
