import startSynthesis from './start-synthesis.mjs';
import { requestAssembly } from './synthesis.ts';

/** The global set-up of the browser tests and of mutation testing: the stack with its bundles. */
export default async function synthesizeService() {
  await startSynthesis();
  process.env.TEST_ASSEMBLY = await requestAssembly();
}
