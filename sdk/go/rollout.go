package authservice

import (
	"fmt"
	"math"
	"math/bits"
)

const rolloutBuckets = 10_000

// IsInRollout reports whether a percentage with at most two decimals admits a user without an explicit status.
func IsInRollout(appID, userID string, percent float64) bool {
	return float64(RolloutBucket(appID, userID)) < math.Floor(percent*100+0.5)
}

// RolloutBucket returns the bucket of a user in an application, from 0 to 9,999.
func RolloutBucket(appID, userID string) int {
	return int(murmur3(appID+":"+userID) % rolloutBuckets)
}

// murmur3 is MurmurHash3 x86 32 with seed 0.
func murmur3(text string) uint32 {
	const one, other = 0xcc9e2d51, 0x1b873593
	var hash uint32
	whole := len(text) &^ 3
	for i := 0; i < whole; i += 4 {
		block := uint32(text[i]) | uint32(text[i+1])<<8 | uint32(text[i+2])<<16 | uint32(text[i+3])<<24
		hash ^= bits.RotateLeft32(block*one, 15) * other
		hash = bits.RotateLeft32(hash, 13)*5 + 0xe6546b64
	}
	// A block of zeros changes nothing, so this is correct even if no byte is left.
	var block uint32
	for i := len(text) - 1; i >= whole; i-- {
		block = block<<8 | uint32(text[i])
	}
	hash ^= bits.RotateLeft32(block*one, 15) * other
	hash ^= uint32(len(text))
	hash = (hash ^ hash>>16) * 0x85ebca6b
	hash = (hash ^ hash>>13) * 0xc2b2ae35
	return hash ^ hash>>16
}

// digest is that of a set of texts, in any order: their number and two sums of 32-bit hashes.
type digest struct {
	count, one, other uint32
}

func (d *digest) add(text string) {
	d.count++
	d.one += murmur3(text)
	d.other += murmur3("." + text)
}

func (d digest) String() string {
	return fmt.Sprintf("%x-%x-%x", d.count, d.one, d.other)
}
