import type { Answer } from '#test/simulation/operations.ts';
import { type Operator, operatorsOf } from '#test/simulation/operators.ts';
import type { Actor, RunOfPart } from '#test/simulation/option-parts.ts';
import { wait } from '#test/simulation/virtual-time.ts';
import { encodeRepairCursor } from '../../table/repair-cursor.ts';

/** Of `repairTable`: 2 of the whole table, 1 of lists, 1 of directories and 1 of feeds come before. */
const stepOfCounters = 5;
const maxRepairs = 10;

/**
 * Compares the counters of a table that is whole, again and again, while clients change it: there is nothing to repair, so the check
 * `overview` notices what it writes. The other steps of a repair are for a table that is not in use. An answer that is lost is
 * not waited for.
 */
export class ConcurrentRepair implements Actor {
  /** It ends with the faults. */
  hasFaults = false;
  readonly #run: RunOfPart;
  readonly #operator: Operator | undefined = operatorsOf([])[0];
  #sent = 0;

  constructor(run: RunOfPart) {
    this.#run = run;
  }

  async prepare(): Promise<void> {}

  async runSchedule(): Promise<void> {
    const { callsPerClient, pauseMilliseconds } = this.#run.swarm;
    const longest = callsPerClient * Math.max(pauseMilliseconds, 100);
    for (let count = 0; count < maxRepairs && this.hasFaults; count++) {
      await this.#repairOnce();
      await wait((this.#run.world.random() * longest) / 5);
    }
  }

  async operate(): Promise<void> {}

  async settle(): Promise<void> {}

  answer(): void {}

  async #repairOnce(): Promise<void> {
    let cursor: string | null = encodeRepairCursor([stepOfCounters, null, 0, null, null]);
    while (cursor !== null && this.hasFaults) {
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
      new Promise<Answer>((resolve) => this.#run.processes.receive('manage', { ...request, ...names }, resolve)),
      wait(30_000).then(() => undefined),
    ]);
  }
}
