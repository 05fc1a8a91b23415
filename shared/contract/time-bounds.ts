/*
 * How long a request can be in progress, in seconds. Deletions and nonces depend on it, feeds and replicas do not;
 * docs/contribute/architecture.md explains why.
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
