import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCosts } from './measure-cost.ts';
import type { Consumption } from './prices.ts';

/**
 * `npm run bench:engines -- <endpoint> <name>`: counts the units of each operation on the emulator of the project and on
 * another engine that is running, and writes them side by side to `bench/engines.json`.
 */
const [endpoint, name] = process.argv.slice(2);
if (endpoint === undefined || name === undefined) throw new Error('Give the endpoint and the name of another engine');

const progress = (line: string) => console.error(line);
const [emulator, other] = [await count(), await count(endpoint)];
const operations = emulator.map(({ operation, measured }, at) => ({
  operation,
  emulator: unitsOf(measured),
  other: unitsOf(other[at]?.measured ?? measured),
}));
const file = join(import.meta.dirname, 'engines.json');
await writeFile(file, `${JSON.stringify({ other: name, operations }, null, 2)}\n`);
console.log(`Wrote ${file}`);
process.exit();

async function count(engine?: string) {
  const directory = await mkdtemp(join(tmpdir(), 'auth-service-engines-'));
  try {
    return await countCosts({ directory, progress, engine });
  } finally {
    await rm(directory, { recursive: true });
  }
}

function unitsOf({ readUnits, tableWriteUnits, indexWriteUnits }: Consumption) {
  return { readUnits, tableWriteUnits, indexWriteUnits };
}
