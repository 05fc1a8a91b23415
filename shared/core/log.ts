import { Logger } from '@aws-lambda-powertools/logger';

/** JSON lines; takes no request headers, bodies, e-mail addresses or secrets. */
export const log = new Logger({ serviceName: 'auth-service' });
