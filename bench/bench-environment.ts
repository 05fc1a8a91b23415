/** The root of the bench's keys; it protects nothing. */
process.env.ROOT_KEYS ??= `k1=local:${Buffer.alloc(32).toString('base64')}`;
// The environment that Lambda and the stack give a function, for this process and its children.
process.env.TABLE_NAME ??= 'bench';
process.env.POWERTOOLS_SERVICE_NAME = 'auth-service';
process.env.POWERTOOLS_METRICS_NAMESPACE = 'AuthService';
process.env.OPERATOR_ISSUER = 'https://login.example.com';
process.env.OPERATOR_ROLES = '{"token":{},"arns":{}}';
process.env.AWS_REGION = 'local';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

export const root = Buffer.from(process.env.ROOT_KEYS.replace('k1=local:', ''), 'base64');
export const tableName = process.env.TABLE_NAME;
