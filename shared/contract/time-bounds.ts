/*
 * How long a change can be under way, in seconds. What waits until every earlier change is visible, or until no earlier
 * request can write any more, waits for the sums below; docs/contribute/architecture.md has the argument.
 */

/** From where a write begins to read to where its transaction is sent for the last time; enforced by a deadline. */
export const attemptSeconds = 5;

/** From where DynamoDB was sent a request to where the request has taken effect or never will. An assumption. */
export const flightSeconds = 2;

/** By how much the clocks of two functions differ at most. An assumption: Lambda's clocks differ by milliseconds. */
export const clockSkewSeconds = 5;

/** How far the index is behind the table at most. An assumption: DynamoDB's indexes follow within a second. */
export const indexLagSeconds = 3;

/** From where a write begins to read to where it has taken effect or never will. */
export const commitSeconds: number = attemptSeconds + flightSeconds;

/** After a mark that refuses writes, from where on no write from before it can take effect any more, and the index shows all. */
export const settleSeconds: number = commitSeconds + indexLagSeconds;

/** How long a mark refuses writes while it is found out whether anything stands against a deletion; longer than any request. */
export const closedSeconds = 60;

/** How old a change is before the cursor of `/changes` passes it: by then every earlier change is visible. */
export const changeSettlingSeconds: number = settleSeconds + clockSkewSeconds;
