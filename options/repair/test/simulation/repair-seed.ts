import { type Code, loadCode } from '#test/simulation/load-code.ts';
import { calmNetwork, connect } from '#test/simulation/network.ts';
import type { Answer } from '#test/simulation/operations.ts';
import { operatorsOf } from '#test/simulation/operators.ts';
import { type Run, runSeed } from '#test/simulation/run-seed.ts';
import { type Commit, calmTable, SimulatedDynamoDb } from '#test/simulation/simulated-dynamodb.ts';
import { type CommittedChange, isChange, isErasure, type StoredChange } from '#test/simulation/stored-state.ts';
import { enterWorld, newProcess, runIn, World } from '#test/simulation/virtual-time.ts';
import { type Item, joined, type Mutation } from '../../../../local/memory/memory-table.ts';

/** What a repair answered. */
interface Finding {
  readonly kind: string;
  readonly repaired: boolean;
  readonly userId?: string;
  readonly appId?: string;
  readonly role?: string;
  readonly changeId?: string;
}

/** A takeover that tore the last transactions of a run, and the repair after it. */
export interface RepairedRun {
  /** The table and everything that was ever written to it, as the checks read them. */
  readonly run: Run;
  readonly findings: readonly Finding[];
  /** What a dry run found before. */
  readonly dry: readonly Finding[];
  /** Writes of the dry run, and of a second repair. */
  readonly dryWrites: number;
  readonly secondFindings: readonly Finding[];
  readonly lost: number;
  /** Whether the feeds began anew; in every second seed. */
  readonly isRestart: boolean;
}

/** Runs a seed, tears its last transactions, repairs the table, and numbers its feeds. */
export async function repairSeed(seed: number): Promise<RepairedRun> {
  const whole = await runSeed(seed);
  const world = new World(seed);
  enterWorld(world);
  const at = Math.floor(world.random() * whole.commits.length);
  const until = Math.max(1, whole.commits.length - at);
  const torn = tear(whole.commits.slice(0, until), world.random);
  world.time = (whole.commits[until - 1]?.at ?? world.time) + 60_000;
  const dynamoDb = new SimulatedDynamoDb(world);
  dynamoDb.faults = { ...calmTable };
  for (const item of torn.items) put(dynamoDb, item);
  connect({ dynamoDb, network: calmNetwork, lateSends: [] });
  const codes = await loadCode(1);
  const code = codes[0] as Code;
  const asked = {
    requestId: 'repair',
    callId: 'repair',
    nonce: 'repair',
    signatureId: '',
    operator: operatorsOf([])[0],
    created: 0,
    milliseconds: 29_000,
  };
  let result: Omit<RepairedRun, 'run' | 'lost' | 'isRestart'> | undefined;
  const process = newProcess('repair', 0);
  const send = (input: object) => runIn(process, () => code.receive({ ...asked, operation: 'repair', input }));
  const isRestart = seed % 2 === 0;
  const restartFeeds = isRestart ? new Date(world.time - 60_000).toISOString() : undefined;
  const work = async () => {
    const dry = await repairAll((input) => send({ ...input, restartFeeds, dryRun: true }));
    const dryWrites = dynamoDb.commits.length;
    const findings = await repairAll((input) => send({ ...input, restartFeeds }));
    const secondFindings = await repairAll((input) => send({ ...input, restartFeeds }));
    await runIn(process, () => code.numberAll(dynamoDb.table.items()));
    result = { dry, dryWrites, findings, secondFindings };
  };
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  await world.run(() => isDone);
  await working;
  if (result === undefined) throw new Error('The repair did not end');
  const items = dynamoDb.table.items();
  const changes = madeChanges(torn, dynamoDb.commits, whole.changes);
  const run = {
    ...whole,
    items,
    changes,
    commits: asCommits(changes, items, world.time),
    endedAt: world.time,
    calls: [],
  };
  return { run, lost: torn.lost, isRestart, ...result };
}

async function repairAll(send: (input: object) => Promise<Answer>): Promise<Finding[]> {
  const found: Finding[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= 1000; page++) {
    const answer = await send({ limit: 20, cursor });
    if (answer.kind !== 'done') throw new Error(`The repair failed: ${JSON.stringify(answer)}`);
    const body = answer.body as unknown as { findings: Finding[]; cursor: string | null };
    found.push(...body.findings);
    if (body.cursor === null) return found;
    cursor = body.cursor;
  }
  throw new Error('The repair never ends');
}

interface Torn {
  readonly items: readonly Item[];
  /** The keys of all Changes that the table ever had. */
  readonly changeKeys: ReadonlySet<string>;
  readonly lost: number;
}

const tornCommits = 12;

/** Each item has one of the versions that it had during the last commits: a replica gets the versions of an item in order. */
function tear(commits: readonly Commit[], random: () => number): Torn {
  const window = Math.max(0, commits.length - 1 - Math.floor(random() * tornCommits));
  const stuck = new Set<string>();
  const isLost = (mutation: Mutation) => {
    const key = joined(mutation);
    if (!stuck.has(key) && random() >= 0.4) return false;
    stuck.add(key);
    return true;
  };
  const early = commits.slice(0, window).flatMap(({ mutations }) => mutations);
  const all = commits.slice(window).flatMap(({ mutations }) => mutations);
  const late = all.filter((mutation) => !isLost(mutation));
  const items = new Map<string, Item>();
  for (const mutation of [...early, ...late]) apply(items, mutation);
  const isWritten = ({ sk, after }: Mutation) => isChange({ sk }) && after !== undefined;
  const changeKeys = new Set([...early, ...late].filter(isWritten).map(joined));
  // What an erasure removed that did not come itself is lost, too.
  const erasures = [...items.values()].filter(isErasure);
  for (const mutation of late) {
    const { pk, before, after } = mutation;
    const isErased = erasures.some((erasure) => erasure.pk === pk && String(erasure.id) > String(before?.id));
    if (after === undefined && !isErased) changeKeys.delete(joined(mutation));
  }
  return { items: [...items.values()], changeKeys, lost: all.length - late.length };
}

function apply(items: Map<string, Item>, mutation: Mutation): void {
  if (mutation.after === undefined) items.delete(joined(mutation));
  else items.set(joined(mutation), mutation.after);
}

function put(dynamoDb: SimulatedDynamoDb, item: Item): void {
  const mutation = dynamoDb.table.apply({ kind: 'Put', input: { Item: item } });
  if (mutation !== undefined) dynamoDb.table.index(mutation);
}

/** The Changes of the torn table, also those erased before, and those of the repair; as they were committed. */
function madeChanges(
  { changeKeys }: Torn,
  repairs: readonly Commit[],
  all: readonly CommittedChange[],
): CommittedChange[] {
  const kept = all.filter(({ change }) => changeKeys.has(joined(change as unknown as { pk: string; sk: string })));
  const added = repairs.flatMap(({ at, mutations }) =>
    mutations.flatMap(({ before, after }) =>
      before === undefined && after !== undefined && isChange(after)
        ? [{ change: after as unknown as StoredChange, at, position: 0 }]
        : [],
    ),
  );
  return [...kept, ...added].map((committed, position) => ({ ...committed, position }));
}

/** The Changes, then the other items as they are at the end. */
function asCommits(changes: readonly CommittedChange[], items: readonly Item[], at: number): Commit[] {
  const others = items.filter((item) => !isChange(item));
  return [
    ...changes.map(({ change, at: made }): Commit => {
      const after = change as unknown as Item & { pk: string; sk: string };
      return { at: made, by: 'transaction', mutations: [{ pk: after.pk, sk: after.sk, before: undefined, after }] };
    }),
    {
      at,
      by: 'write',
      mutations: others.map((item) => ({ pk: String(item.pk), sk: String(item.sk), before: item, after: item })),
    },
  ];
}
