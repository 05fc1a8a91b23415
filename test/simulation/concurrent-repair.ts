import { encodeRepairCursor } from '#shared/table/queries/repair-cursor.ts';
import type { Answer } from './operations.ts';
import type { Operator } from './operators.ts';
import type { Processes } from './processes.ts';
import { type World, wait } from './virtual-time.ts';

/** Of `repairTable`: 2 of the whole table, 1 of lists, 1 of directories and 1 of feeds come before. */
const stepOfCounters = 5;

/**
 * Compares the counters of a table that is whole, again and again, while clients change it: there is nothing to repair, so the check
 * `overview` notices what it writes. The other steps of a repair are for a table that is not in use. An answer that is lost is
 * not waited for.
 */
export class ConcurrentRepair {
  readonly #world: World;
  readonly #processes: Processes;
  readonly #operator: Operator | undefined;
  #sent = 0;
  #isOver = false;

  constructor(world: World, processes: Processes, operator: Operator | undefined) {
    this.#world = world;
    this.#processes = processes;
    this.#operator = operator;
  }

  /** At most as often as this, until `end` is called. */
  async run(times: number, pauseMilliseconds: number): Promise<void> {
    for (let count = 0; count < times && !this.#isOver; count++) {
      await this.#repairOnce();
      await wait(this.#world.random() * pauseMilliseconds);
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async #repairOnce(): Promise<void> {
    let cursor: string | null = encodeRepairCursor([stepOfCounters, null, 0, null, null]);
    while (cursor !== null && !this.#isOver) {
      const answer: Answer | undefined = await this.#send(cursor);
      if (answer?.kind !== 'done') return;
      cursor = answer.body.cursor as string | null;
    }
  }

  #send(cursor: string): Promise<Answer | undefined> {
    const id = `repair-${++this.#sent}`;
    const request = {
      operation: 'repair',
      input: { limit: 20, cursor },
      operator: this.#operator,
      created: 0,
    } as const;
    const names = { requestId: id, callId: id, nonce: id, signatureId: '' };
    return Promise.race([
      new Promise<Answer>((resolve) => this.#processes.receive('manage', { ...request, ...names }, resolve)),
      wait(30_000).then(() => undefined),
    ]);
  }
}
