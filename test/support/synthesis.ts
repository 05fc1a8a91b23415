import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as endpoints from '#options/endpoints.ts';
import * as localParts from '#options/local.ts';
import { listSettings } from '../../lib/options/list-settings.ts';
import { makeOnce, pathFor } from './synthesis-cache.ts';
import type { SynthesisRequest } from './synthesis-server.ts';

/**
 * Returns the path of a request's result: from the cache, otherwise from the server that `start-synthesis.mjs` starts.
 */
export async function requestSynthesis(request: SynthesisRequest): Promise<string> {
  const path = pathFor(cacheFolder(), request);
  if (existsSync(path)) return path;
  const response = await fetch(process.env.TEST_SYNTHESIS_URL ?? '', { method: 'POST', body: JSON.stringify(request) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** The settings of the options that the local run switches on. */
export const settingsOfParts: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(localParts).map(({ settings }) => settings),
);

/** Returns the path of the stack with its bundles, with all that a list of options can name, and what the local run switches on. */
export function requestAssembly(): Promise<string> {
  const lists = Object.entries({ ...listSettings, endpoints: Object.keys(endpoints) });
  const context = Object.fromEntries(lists.map(([name, values]) => [name, values.join(',')]));
  return requestSynthesis({ kind: 'assembly', context: { ...settingsOfParts, ...context } });
}

/**
 * Returns the result of `make` for the same inputs of the stack and the same description, in this or an earlier run.
 */
export async function rememberResult<Result>(description: unknown, make: () => Promise<Result>): Promise<Result> {
  const path = await makeOnce(pathFor(cacheFolder(), description), async (temporary) =>
    writeFileSync(temporary, JSON.stringify(await make())),
  );
  return JSON.parse(readFileSync(path, 'utf8'));
}

function cacheFolder(): string {
  const folder = process.env.TEST_SYNTHESIS_FOLDER;
  if (folder === undefined) throw new Error('Only tests of the projects "service" and "stack" may need a stack');
  return folder;
}
