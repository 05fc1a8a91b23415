import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { warmUpRequest } from '../lib/warm-up-request.ts';
import { warmUpEnvironment } from '../lib/warm-up-server.ts';

const runner = join(import.meta.dirname, 'invoke-once.cjs');

/** What is started: a file that exports a handler, and the function whose request it gets. */
export interface Starter {
  readonly label: string;
  readonly file: string;
  /** Default: `get-access`. */
  readonly request?: string;
  /** Beyond what every function finds. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What one cold start took, from the start of its process. */
export interface ColdStart {
  readonly loadMs: number;
  readonly answerMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
}

export interface ColdStartOptions {
  readonly url: string;
  readonly rounds: number;
  /** On one processor, as a function has after its start with up to 1769 MB. */
  readonly pinned: boolean;
}

/** Starts all of them in turn, then in the reverse order, and so on; the samples of each, by round. */
export function startAlternating(starters: readonly Starter[], options: ColdStartOptions): ColdStart[][] {
  for (const starter of starters) startOnce(starter, options);
  const samples = starters.map((): ColdStart[] => []);
  for (let round = 0; round < options.rounds; round++) {
    const order = round % 2 === 0 ? [...starters.entries()] : [...starters.entries()].reverse();
    for (const [index, starter] of order) samples[index]?.push(startOnce(starter, options));
  }
  return samples;
}

function startOnce(
  { label, file, request = 'get-access', environment }: Starter,
  { url, pinned }: ColdStartOptions,
): ColdStart {
  const command = [process.execPath, runner, file, JSON.stringify(warmUpRequest(request).event)];
  const [program = '', ...options] = pinned ? ['taskset', '-c', '0', ...command] : command;
  const env = { PATH: process.env.PATH, ...warmUpEnvironment(url), ...unverified, ...environment };
  const startedAt = process.hrtime.bigint();
  const { output, stderr } = spawnSync(program, options, {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const [, , , told] = output;
  if (!told) throw new Error(`${label} did not answer: ${stderr}`);
  const { statusCode, loadedAt, answeredAt, cpuMicroseconds, peakKilobytes } = JSON.parse(told);
  if (statusCode !== 200) throw new Error(`${label} answered ${statusCode}`);
  return {
    loadMs: Number(BigInt(loadedAt) - startedAt) / 1e6,
    answerMs: Number(BigInt(answeredAt) - startedAt) / 1e6,
    cpuMs: cpuMicroseconds / 1000,
    peakMegabytes: peakKilobytes / 1024,
  };
}

/** The certificate is of this run; the stores of known ones are made all the same. */
export const unverified = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
