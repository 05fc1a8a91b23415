import startSynthesis from './start-synthesis.mjs';
import { requestSynthesis } from './synthesis.ts';

/** Jest's global set-up of the project `service`: the stack with its bundles, with the default settings. */
export default async function synthesizeService() {
  await startSynthesis();
  process.env.TEST_ASSEMBLY = await requestSynthesis({ kind: 'assembly', context: {} });
}
