import type { ServiceGlobals, ServiceInstance } from './service-instance.ts';

/** Evaluates the code of `service/service.ts` once more; the build makes this module of it. */
export function startService(globals: ServiceGlobals): ServiceInstance;
