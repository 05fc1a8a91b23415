import { Logger } from '@aws-lambda-powertools/logger';
import { serviceName } from './service-name.ts';

/** JSON lines; takes no request headers, bodies, e-mail addresses or secrets. */
export const log = new Logger({ serviceName });
