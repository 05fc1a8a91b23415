// go run rollout.go: reads lines "appId userId percent", prints the bucket and whether the user is admitted.
package main

import (
	"fmt"
	"math"
	"math/bits"
)

// isInRollout tells whether a user without an explicit status is admitted.
func isInRollout(appID, userID string, percent float64) bool {
	return float64(bucket(appID, userID)) < math.Round(percent*100)
}

// bucket is from 0 to 9,999.
func bucket(appID, userID string) uint32 { return murmur3([]byte(appID+":"+userID)) % 10_000 }

// murmur3 is MurmurHash3 x86 32 with seed 0.
func murmur3(data []byte) (hash uint32) {
	var block uint32
	for at, b := range data {
		block |= uint32(b) << (8 * (at % 4))
		if at%4 == 3 {
			hash, block = bits.RotateLeft32(hash^scramble(block), 13)*5+0xe6546b64, 0
		}
	}
	hash ^= scramble(block) ^ uint32(len(data))
	hash = (hash ^ hash>>16) * 0x85ebca6b
	hash = (hash ^ hash>>13) * 0xc2b2ae35
	return hash ^ hash>>16
}

func scramble(block uint32) uint32 { return bits.RotateLeft32(block*0xcc9e2d51, 15) * 0x1b873593 }

func main() {
	var appID, userID, percent = "", "", 0.0
	says := map[bool]string{true: "in", false: "out"}
	for n, _ := fmt.Scan(&appID, &userID, &percent); n == 3; n, _ = fmt.Scan(&appID, &userID, &percent) {
		fmt.Println(bucket(appID, userID), says[isInRollout(appID, userID, percent)])
	}
}
