import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryTable } from '../../local/memory/memory-table.ts';
import { root } from '../support/source-files.ts';
import type { BrokenCondition } from './broken-conditions.ts';
import type { Clients } from './clients.ts';
import type { Check } from './invariants/every-check.ts';
import type { Code } from './load-code.ts';
import type { Outside } from './outside.ts';
import type { Processes } from './processes.ts';
import type { Swarm } from './swarm.ts';
import type { World } from './virtual-time.ts';

/** What a part is given of a run. */
export interface RunOfPart {
  readonly world: World;
  readonly clients: Clients;
  readonly processes: Processes;
  readonly swarm: Swarm;
  /** The code of one process, from which a condition may be removed. */
  readonly code: Code;
}

/** What an option does in one run. */
export interface Actor {
  hasFaults: boolean;
  /** Creates what it needs, before there are faults. */
  prepare(): Promise<void>;
  /** Runs from the beginning of the faults until it has settled. Default: nothing does. */
  runSchedule?(): Promise<void>;
  /** What operators do with it beside the other clients. */
  operate(): Promise<void>;
  /** What they do with it when the faults are over and nobody else does anything. Default: nothing. */
  operateAlone?(): Promise<void>;
  /** Waits without faults until nothing is left to do. */
  settle(table: MemoryTable): Promise<void>;
  /** Answers what a process sends to anything but the table. */
  readonly answer: Outside;
}

/** What an option adds to the simulation: `part` in its `test/simulation/<name>-part.ts`. */
export interface SimulationPart {
  /** Draws what it does in a run: undefined if nothing. */
  readonly draw: (seed: number, run: RunOfPart) => Actor | undefined;
  /** By a name for `--check`. */
  readonly checks: Readonly<Record<string, Check>>;
  /** By a name for `--break`. */
  readonly brokenConditions: Readonly<Record<string, BrokenCondition>>;
}

const files = globSync('options/*/test/simulation/*-part.ts', { cwd: root }).sort();

/** Those of all options. */
export const optionParts: readonly SimulationPart[] = await Promise.all(
  files.map(async (file) => (await import(join(root, file))).part),
);

/** Starts work of a named client. */
type Start = (name: string, work: () => Promise<void>) => Promise<void>;

/** What all options do in one run. */
export class Actors {
  readonly all: readonly Actor[];

  constructor(seed: number, run: RunOfPart) {
    this.all = optionParts.flatMap((part) => part.draw(seed, run) ?? []);
  }

  set hasFaults(hasFaults: boolean) {
    for (const actor of this.all) actor.hasFaults = hasFaults;
  }

  async prepare(): Promise<void> {
    for (const actor of this.all) await actor.prepare();
  }

  runSchedules(start: Start): Promise<void>[] {
    const scheduled = this.all.filter(({ runSchedule }) => runSchedule !== undefined);
    return scheduled.map((actor) => start('schedule', async () => actor.runSchedule?.()));
  }

  operate(start: Start): Promise<void>[] {
    return this.all.map((actor) => start('operator', () => actor.operate()));
  }

  async operateAlone(): Promise<void> {
    for (const actor of this.all) await actor.operateAlone?.();
  }

  async settle(table: MemoryTable): Promise<void> {
    for (const actor of this.all) await actor.settle(table);
  }

  readonly answer: Outside = (request, answer) => {
    for (const actor of this.all) actor.answer(request, answer);
  };
}
