/*
 * How long a request can be in progress, in seconds. Two assumptions: DynamoDB completes a request that it has received within
 * `flightSeconds` or never, and clocks differ by at most `clockSkewSeconds`. If one of them does not hold, a grant that was in
 * flight may outlive its role, or a nonce be forgotten while a copy of its request is still valid. Nothing else depends on
 * them, and nothing on how late the indexes or the stream are: that delays what people see, and repeats what followers get.
 */

/** From the first read of a write until its transaction is last sent; enforced by a deadline. */
export const attemptSeconds = 5;

/** From sending a request to DynamoDB until the request has taken effect or never will. An assumption. */
export const flightSeconds = 2;

/** The maximum difference between the clocks of two functions. An assumption: Lambda's clocks differ by milliseconds. */
export const clockSkewSeconds = 5;

/** From the first read of a write until the write has taken effect or never will; so long a deletion waits after its mark. */
export const settleSeconds: number = attemptSeconds + flightSeconds;

/** How long a mark refuses writes while a deletion checks whether it is allowed; longer than any request. */
export const closedSeconds = 60;
