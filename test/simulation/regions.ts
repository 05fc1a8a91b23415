import { joined, type Mutation } from '../../local/memory/memory-table.ts';
import { type Commit, SimulatedDynamoDb } from './simulated-dynamodb.ts';
import type { World } from './virtual-time.ts';

/** When and where an item was written last. */
interface Written {
  readonly at: number;
  readonly region: number;
}

/**
 * A global table: a table in each of two Regions, between which items are copied, not transactions. Each item takes its own
 * time, and the last writer wins.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/V2globaltables_HowItWorks.html
 */
export class GlobalTable {
  readonly regions: readonly [SimulatedDynamoDb, SimulatedDynamoDb];
  readonly #written: readonly [Map<string, Written>, Map<string, Written>] = [new Map(), new Map()];
  #isConnected = true;
  readonly #world: World;
  readonly #lagMilliseconds: number;

  constructor(world: World, lagMilliseconds: number) {
    this.#world = world;
    this.#lagMilliseconds = lagMilliseconds;
    this.regions = [new SimulatedDynamoDb(world), new SimulatedDynamoDb(world)];
    for (const [region, { observers }] of this.regions.entries()) {
      observers.push((commit) => this.#copyLater(region, commit));
    }
  }

  /** Separates the Regions: what has not been copied yet is lost. */
  separate(): void {
    this.#isConnected = false;
  }

  #copyLater(region: number, { at, by, mutations }: Commit): void {
    if (by === 'replication') return;
    for (const mutation of mutations) {
      this.#written[region as 0 | 1].set(joined(mutation), { at, region });
      const lag = this.#world.random() * this.#lagMilliseconds;
      this.#world.schedule(lag, () => this.#copy({ at, region }, mutation));
    }
  }

  #copy(written: Written, mutation: Mutation): void {
    const to = (1 - written.region) as 0 | 1;
    const last = this.#written[to].get(joined(mutation));
    if (!this.#isConnected || (last !== undefined && isLater(last, written))) return;
    this.#written[to].set(joined(mutation), written);
    this.regions[to].replicate(mutation);
  }
}

function isLater(one: Written, other: Written): boolean {
  return one.at > other.at || (one.at === other.at && one.region > other.region);
}
