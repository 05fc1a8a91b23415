import './environment.ts';
import { createTable } from '../local/create-table.ts';
import { batchWrite } from './batch-write.ts';
import { countCapacity } from './count-capacity.ts';
import { serviceAsk } from './create-events.ts';
import { type ByName, byName, type Name, names, populations, small } from './growth-tables.ts';
import { itemBytes, readUnits } from './item-size.ts';
import { pagingOf } from './measure-paging.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { createKeys, itemsOf, type Population, userIdAt } from './populations.ts';
import { seededRandom, shuffled } from './random.ts';
import { type GetSamples, reportGrowth, type UnitCount } from './report-growth.ts';
import { openStage, type Stage } from './stage.ts';
import { startEngine } from './start-engine.ts';
import { median } from './statistics.ts';

const rounds = 31;
const requestsPerRound = 100;
const warmUps = 1000;
const batchWritten = 10_000;

/** What a GET takes in tables that differ in size, and what a page takes at the beginning and the end of a long list. */
export async function measureGrowth(context: BenchContext): Promise<Measurement> {
  const stage = await openStage(populations, context);
  try {
    const batchWrites = await measureBatchWrites(stage, context);
    const gets = await measureGets(stage, context);
    const units = await countUnits(stage);
    const paging = await pagingOf(stage, 'growth-1000000-users', context);
    return reportGrowth({ fillTimes: stage.fillTimes, rounds, requestsPerRound, batchWrites, gets, units, paging });
  } finally {
    await stage.close();
  }
}

/** Items a second of the slow way to fill a table, in an engine that keeps them in memory and so need not sync a file. */
async function measureBatchWrites({ tableNamed }: Stage, { progress }: BenchContext): Promise<number> {
  progress('Filling a small table by BatchWriteItem');
  const { endpoint, stop } = await startEngine();
  const table = { ...tableNamed('growth-batch'), streamViewType: undefined };
  await createTable(table, endpoint);
  const population = { ...small, users: batchWritten / 2, accesses: batchWritten / 2 };
  const perSecond = await batchWrite(
    { endpoint, tableName: table.tableName },
    itemsOf(population, createKeys(population)),
  );
  await stop();
  return perSecond;
}

/** In a process for each table, in turns, so that what slows the machine down slows all. */
async function measureGets(stage: Stage, { progress }: BenchContext): Promise<ByName<GetSamples>> {
  const open = byName((name) => openFunctions({ bundles: stage.bundles, dynamodb: stage.dynamodb, tableName: name }));
  try {
    progress('Warming up');
    for (const name of names) await open[name].run(getAsks(stage, name, warmUps));
    progress(`${rounds} rounds of ${requestsPerRound} GETs in each table`);
    const samples = byName((): GetSamples => ({ milliseconds: [], cpuMicroseconds: [] }));
    const random = seededRandom(1);
    for (let round = 0; round < rounds; round++) {
      for (const name of shuffled(names, random)) await sample(samples[name], open[name], stage, name);
    }
    return samples;
  } finally {
    await Promise.all(names.map((name) => open[name].close()));
  }
}

async function sample(samples: GetSamples, functions: OpenFunctions, stage: Stage, name: Name): Promise<void> {
  const { answers, cpuMicroseconds } = await functions.run(getAsks(stage, name, requestsPerRound));
  samples.milliseconds.push(median(answers.map(({ milliseconds }) => milliseconds)));
  samples.cpuMicroseconds.push(cpuMicroseconds / requestsPerRound);
}

/** About users by chance. */
function getAsks({ keys }: Stage, name: Name, count: number) {
  const key = keys.get(name);
  if (key === undefined) throw new Error(`${name} has no key`);
  return Array.from({ length: count }, () => {
    const userId = userIdAt(Math.floor(Math.random() * populations[name].accesses));
    return serviceAsk({ method: 'GET', target: `/api/service/users/${userId}/access`, key });
  });
}

/** Read units of a GET, as counted and by the rule: one for each 4 KB begun, of each of the three items. */
async function countUnits(stage: Stage): Promise<ByName<UnitCount>> {
  const counter = await countCapacity(stage.dynamodb);
  const units = byName(() => ({ counted: Number.NaN, byRule: Number.NaN }));
  for (const name of names) {
    const functions = openFunctions({ bundles: stage.bundles, dynamodb: counter.endpoint, tableName: name });
    await functions.run(getAsks(stage, name, 1));
    counter.take();
    await functions.run(getAsks(stage, name, 10));
    units[name] = { counted: counter.take().readUnits / 10, byRule: unitsByRule(populations[name]) };
    await functions.close();
  }
  await counter.close();
  return units;
}

/** Of the first user in the first application. */
function unitsByRule(population: Population): number {
  const items = [...itemsOf({ ...population, users: 1, accesses: 1, applications: 1 }, createKeys(population))];
  const read = items.filter(({ sk }) => sk === 'APP' || sk === 'USER' || String(sk).startsWith('ACCESS#'));
  return read.reduce((sum, item) => sum + readUnits(itemBytes(item)), 0);
}
