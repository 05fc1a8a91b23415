import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildChanges } from './change-cases.ts';
import { buildDecisions } from './decision-cases.ts';
import { failureCases } from './failure-cases.ts';
import { replicaCases } from './replica-cases.ts';
import { runFailureCase } from './run-failures.ts';
import { recordHistory } from './run-history.ts';
import { buildWebhooks } from './webhook-cases.ts';

/** Raised when a runner of the kit has to change. */
const version = 1;

/** The files of the kit by name. `kit.json` lists them all, with those of `examples`, which are not copied. */
export async function buildConformance(): Promise<Readonly<Record<string, object>>> {
  const cases: Readonly<Record<string, readonly object[]>> = {
    'changes.json': await buildChanges(),
    'decisions.json': buildDecisions(),
    'failures.json': await inTurn(failureCases, runFailureCase),
    'replicas.json': await inTurn(replicaCases, recordHistory),
    'webhooks.json': await buildWebhooks(),
  };
  const files = {
    signatures: '../../examples/vectors.json',
    rollout: '../../examples/rollout-vectors.json',
    ...Object.fromEntries(Object.keys(cases).map((name) => [name.replace('.json', ''), name])),
  };
  const versioned = Object.entries(cases).map(([name, each]) => [name, { version, cases: each }] as const);
  return { 'kit.json': { version, files }, ...Object.fromEntries(versioned) };
}

/** Virtual time allows one run at a time. */
async function inTurn<Case, Vector>(all: readonly Case[], run: (each: Case) => Promise<Vector>): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (const each of all) vectors.push(await run(each));
  return vectors;
}

if (import.meta.main) {
  for (const [name, content] of Object.entries(await buildConformance()))
    writeFileSync(join(import.meta.dirname, name), `${JSON.stringify(content, null, 2)}\n`);
}
