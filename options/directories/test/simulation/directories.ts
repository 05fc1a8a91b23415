import type { Actor, ActorRequest, RunOfPart, TraceLine } from '#test/simulation/option-parts.ts';
import type { Run } from '#test/simulation/run-seed.ts';
import type { MemoryTable } from '../../../../local/memory/memory-table.ts';
import { Directory, isUnavailable, type ScimCall } from './directory.ts';
import type { DirectorySwarm } from './directory-swarm.ts';

/** The directories of a run, for the checks. */
export function directoriesIn({ actors = [] }: Pick<Run, 'actors'>): readonly Directory[] {
  return actors.flatMap((actor) => (actor instanceof Directories ? actor.all : []));
}

/** The directories of a run. */
export class Directories implements Actor {
  hasFaults = false;
  readonly needs = 'scim';
  readonly all: readonly Directory[];
  readonly #pauseMilliseconds: number;

  constructor({ world, clients, processes, swarm }: RunOfPart, drawn: readonly DirectorySwarm[]) {
    this.all = drawn.map((one) => new Directory(world, { clients, processes }, { swarm: one, users: swarm.users }));
    this.#pauseMilliseconds = swarm.pauseMilliseconds;
  }

  get calls(): readonly ScimCall[] {
    return this.all.flatMap((directory) => directory.calls);
  }

  /** The streams of each directory, then the operators of its connection. */
  get clients() {
    const streams = this.all.flatMap((directory) =>
      Array.from({ length: directory.swarm.streams }, () => ({
        name: directory.swarm.connectionId,
        run: () => directory.run(this.#pauseMilliseconds),
      })),
    );
    const administered = this.all.filter(({ swarm: { administration } }) => administration !== undefined);
    const operators = administered.map((directory) => ({
      name: 'operator',
      run: () => directory.administer(this.#pauseMilliseconds),
    }));
    return [...streams, ...operators];
  }

  async prepare(): Promise<void> {
    for (const directory of this.all) await directory.prepare();
  }

  async finish(table: MemoryTable, maxRepeated: number): Promise<void> {
    for (const directory of this.all) {
      await directory.repeatUnknown(maxRepeated);
      await directory.settle(table);
    }
  }

  requests(): readonly ActorRequest[] {
    return this.calls
      .flatMap(({ attempts }) => attempts)
      .map(({ requestId, answeredAt, answer }) => {
        return { requestId, answeredAt, isKnown: answer !== undefined && !isUnavailable(answer) };
      });
  }

  failures(): readonly string[] {
    return this.calls.flatMap(({ method, path, attempts }) =>
      attempts.flatMap(({ requestId, answer }) =>
        answer !== undefined && (answer.status < 200 || (answer.status >= 500 && answer.status !== 503))
          ? [`${requestId} ${method} ${path}: ${JSON.stringify(answer)}`]
          : [],
      ),
    );
  }

  open(): readonly string[] {
    const last = this.all.flatMap(({ lastCalls }) => [...lastCalls]);
    const open = last.filter(({ outcome }) => outcome === undefined || isUnavailable(outcome));
    return open.map(({ id, method, path }) => `${id} ${method} ${path} never completes`);
  }

  drawn(): readonly string[] {
    return this.all.map((directory) => `directory ${JSON.stringify(directory.swarm)}`);
  }

  lines(): readonly TraceLine[] {
    return this.calls.flatMap(linesOfRequest);
  }
}

function linesOfRequest({ id, method, path, query, body, startedAt, attempts }: ScimCall): TraceLine[] {
  return [
    { at: startedAt, text: `${id} ${method} ${path}${query && `?${query}`} ${JSON.stringify(body)}` },
    ...attempts.flatMap(({ requestId, sentAt, answeredAt, answer }) => [
      { at: sentAt, text: `  ${id} sends ${requestId}` },
      ...(answer === undefined || answeredAt === undefined
        ? []
        : [{ at: answeredAt, text: `  ${requestId} is answered ${JSON.stringify(answer)}` }]),
    ]),
  ];
}
