import { loginHookSamples } from './login-hook-samples.ts';

/** How benchmarks and tests try login hooks. */
export const loginHookCatalog = { samples: loginHookSamples } as const;
