import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { changeSettlingSeconds } from '#shared/contract/history.ts';
import { createManageClient } from '../local/sigv4-client.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { compareHistory } from './read-back.ts';
import { type MemorySample, reportLoad } from './report-load-run.ts';
import { type LoadTarget, sendLoad, signedRequest } from './send-load.ts';

const concurrencies = [1, 10, 50] as const;
const secondsEach = 20;
const plan = { users: 200, connections: 10, seconds: 300 } as const;
const memorySampleSeconds = 1;
const signatures = 5000;

/** A mix of requests against `npm start`, at several concurrencies, then for minutes, and the history it leaves. */
export async function measureLoadRun(context: BenchContext): Promise<Measurement> {
  const { progress } = context;
  progress('Starting npm start');
  const service = await startLocalService(join(context.directory, 'data'));
  try {
    const target = await createUsers(service);
    const signingMicroseconds = measureSigning(target);
    progress('Warming up');
    const warmUp = await sendLoad(target, 10, 10);
    const runs = [];
    for (const connections of concurrencies) {
      progress(`${secondsEach} s with ${connections} connections`);
      runs.push({ connections, tally: await sendLoad(target, connections, secondsEach) });
    }
    progress(`${plan.seconds} s with ${plan.connections} connections`);
    const { tally: sustained, memory } = await sustain(service, target);
    progress('Reading the whole history back');
    await pause((changeSettlingSeconds + 1) * 1000);
    const agreement = await compareHistory(target);
    const tallies = [warmUp, ...runs.map(({ tally }) => tally), sustained];
    return reportLoad({ plan, runs, sustained, memory, agreement, signingMicroseconds, tallies });
  } finally {
    await service.stop();
  }
}

async function createUsers({ example }: LocalService): Promise<LoadTarget> {
  const ask = createManageClient(example.manageUrl, example);
  const userIds = Array.from({ length: plan.users }, (_, at) => `load-${at}`);
  for (const userId of userIds) {
    const { status } = await ask('PUT', `/users/${userId}`, {});
    if (status !== 201) throw new Error(`Creating ${userId} got ${status}`);
  }
  return { ...example, userIds };
}

/** What the load generator spends on the signature of each request, in microseconds of CPU. */
function measureSigning(target: LoadTarget): number {
  const before = process.cpuUsage();
  for (let at = 0; at < signatures; at++) signedRequest(target, 'GET');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / signatures;
}

async function sustain(service: LocalService, target: LoadTarget) {
  const startedAt = Date.now();
  const memory: MemorySample[] = [];
  const timer = setInterval(() => {
    memory.push({ second: (Date.now() - startedAt) / 1000, ...service.memory() });
  }, memorySampleSeconds * 1000);
  const tally = await sendLoad(target, plan.connections, plan.seconds);
  clearInterval(timer);
  return { tally, memory };
}
