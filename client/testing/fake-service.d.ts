import type { ServiceGlobals, ServiceInstance } from './service-instance.ts';

/** Starts a new instance of `service/service.ts`; the build generates this module from it. */
export function startService(globals: ServiceGlobals): ServiceInstance;
