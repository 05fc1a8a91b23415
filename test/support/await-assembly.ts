import { requestAssembly } from './synthesis.ts';

/* Runs before each test file of the project `service`. */

process.env.TEST_ASSEMBLY = await requestAssembly();
