/*
 * How long a change can be in progress, in seconds. Waiting until every earlier change is visible, or until no earlier request
 * can still write, takes the sums below; docs/contribute/architecture.md explains why.
 */

/** From the first read of a write until its transaction is last sent; enforced by a deadline. */
export const attemptSeconds = 5;

/** From sending a request to DynamoDB until the request has taken effect or never will. An assumption. */
export const flightSeconds = 2;

/** The maximum difference between the clocks of two functions. An assumption: Lambda's clocks differ by milliseconds. */
export const clockSkewSeconds = 5;

/** The maximum delay of the index. An assumption: DynamoDB's indexes follow within a second. */
export const indexLagSeconds = 3;

/** From the first read of a write until the write has taken effect or never will. */
export const commitSeconds: number = attemptSeconds + flightSeconds;

/** From a mark that refuses writes until no earlier write can take effect and the index contains all of them. */
export const settleSeconds: number = commitSeconds + indexLagSeconds;

/** How long a mark refuses writes while a deletion checks whether it is allowed; longer than any request. */
export const closedSeconds = 60;

/** The age at which the cursor of `/changes` passes a change: by then every earlier change is visible. */
export const changeSettlingSeconds: number = settleSeconds + clockSkewSeconds;
