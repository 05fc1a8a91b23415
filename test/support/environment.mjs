/** The environment that Lambda and the stack give every function; `local:` is a root for this run alone. */
import { randomBytes } from 'node:crypto';
import { compileCache } from './environments.ts';

// For the processes that tests start; in this process it would fill up with the copies of the project's modules.
process.env.NODE_COMPILE_CACHE = compileCache;
process.env.TABLE_NAME ??= 'auth-service-test';
const root = randomBytes(32).toString('base64');
process.env.ROOT_KEYS ??= ['k1', 'h1', 'c1', 'w1'].map((version) => `${version}=local:${root}`).join();
// A deletion waits for concurrent writes; only the simulation uses the full wait.
process.env.SETTLE_SECONDS ??= '0';
process.env.CHANGE_RETENTION_DAYS ??= '30';
process.env.POWERTOOLS_SERVICE_NAME ??= 'auth-service';
process.env.POWERTOOLS_METRICS_NAMESPACE ??= 'AuthService';
process.env.OPERATOR_ISSUER ??= 'https://login.example.com';
process.env.OPERATOR_ROLES ??= '{"token":{"claim":"cognito:groups"},"arns":{}}';
process.env.WEBHOOK_FORMATS ??= 'standard,set';
process.env.AWS_REGION = 'local';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';
// Silences handlers that run in the test process; the bundles in workers log as on Lambda.
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
process.env.POWERTOOLS_METRICS_DISABLED = 'true';
