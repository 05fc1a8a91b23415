import startSynthesis from './start-synthesis.mjs';
import { requestAssembly } from './synthesis.ts';

/**
 * Jest's global set-up of the project `service`. The stack is synthesized while the first tests run; each file waits
 * for it in `await-assembly.ts`, which also reports an error.
 */
export default async function beginAssembly() {
  await startSynthesis();
  requestAssembly().catch(() => undefined);
}
