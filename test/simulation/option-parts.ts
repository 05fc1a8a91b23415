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
  /** How the names of the run end. */
  readonly suffix: string;
}

/** A request that an actor has sent itself, as the checks of all requests need it. */
export interface ActorRequest {
  readonly requestId: string;
  readonly answeredAt: number | undefined;
  /** Whether the response says that everything is done. */
  readonly isKnown: boolean;
}

/** A line of a trace. */
export interface TraceLine {
  readonly at: number;
  readonly text: string;
}

/** What an option does in one run. */
export interface Actor {
  hasFaults: boolean;
  /** What each process needs before the run (`OptionCode.loads`). Default: nothing. */
  readonly needs?: string;
  /** Creates what it needs, before there are faults. */
  prepare(): Promise<void>;
  /** Clients of its own, which begin with all others: each by its name, after which its clock is drawn. Default: none. */
  readonly clients?: readonly { readonly name: string; readonly run: () => Promise<void> }[];
  /** Runs from the beginning of the faults until it has settled. Default: nothing. */
  runSchedule?(): Promise<void>;
  /** What operators do with it beside the other clients. Default: nothing. */
  operate?(): Promise<void>;
  /** What they do with it when the faults are over and nobody else does anything. Default: nothing. */
  operateAlone?(): Promise<void>;
  /** Repeats what it does not know the outcome of, at most so much of each, and ends what it does. Default: nothing. */
  finish?(table: MemoryTable, maxRepeated: number): Promise<void>;
  /** Waits without faults until nothing is left to do. Default: it does not. */
  settle?(table: MemoryTable): Promise<void>;
  /** Answers what a process sends to anything but the table. Default: nothing. */
  readonly answer?: Outside;
  /** The requests that it has sent itself, without a client. Default: none. */
  requests?(): readonly ActorRequest[];
  /** What went wrong with them: faults of the environment result in 503. */
  failures?(): readonly string[];
  /** Those that never completed, although there were no more faults. */
  open?(): readonly string[];
  /** For a trace: what was drawn of it, and its requests. */
  drawn?(): readonly string[];
  lines?(): readonly TraceLine[];
}

/** What an option adds to the simulation: `part` in its `test/simulation/<name>-part.ts`. */
export interface SimulationPart {
  /** What is drawn for the whole run, as far as some seeds of the option need it otherwise. */
  readonly adapt?: (seed: number, swarm: Swarm) => Swarm;
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

/** The swarm of a run, as the options need it. */
export function adaptSwarm(seed: number, drawn: Swarm): Swarm {
  return optionParts.reduce((swarm, { adapt }) => adapt?.(seed, swarm) ?? swarm, drawn);
}

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

  /** Prepares each process for them. */
  async load(codes: readonly Code[]): Promise<void> {
    for (const { needs } of this.all) {
      for (const code of codes) if (needs !== undefined) await code.loadOf(needs);
    }
  }

  startClients(start: Start): Promise<void>[] {
    return this.all.flatMap(({ clients = [] }) => clients.map(({ name, run }) => start(name, run)));
  }

  async finish(table: MemoryTable, maxRepeated: number): Promise<void> {
    for (const actor of this.all) await actor.finish?.(table, maxRepeated);
  }

  runSchedules(start: Start): Promise<void>[] {
    return this.all.flatMap((actor) =>
      actor.runSchedule === undefined ? [] : [start('schedule', async () => actor.runSchedule?.())],
    );
  }

  operate(start: Start): Promise<void>[] {
    return this.all.flatMap((actor) =>
      actor.operate === undefined ? [] : [start('operator', async () => actor.operate?.())],
    );
  }

  async operateAlone(): Promise<void> {
    for (const actor of this.all) await actor.operateAlone?.();
  }

  async settle(table: MemoryTable): Promise<void> {
    for (const actor of this.all) await actor.settle?.(table);
  }

  readonly answer: Outside = (request, answer) => {
    for (const actor of this.all) actor.answer?.(request, answer);
  };
}
