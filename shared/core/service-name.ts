import { serviceName as productionName } from '#shared/contract/metrics.ts';
import { environment } from './environment.ts';

/** What logs and metrics call this deployment; each stage has a name of its own. */
export const serviceName: string = environment.SERVICE_NAME ?? productionName;
