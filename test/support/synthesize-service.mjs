import startSynthesis from './start-synthesis.mjs';
import { requestSynthesis } from './synthesis.ts';

/** Jest's global set-up of the project `service`: the stack with its bundles, as the default settings make it. */
export default async function synthesizeService() {
  await startSynthesis();
  process.env.TEST_ASSEMBLY = await requestSynthesis({ kind: 'assembly', context: {} });
}
