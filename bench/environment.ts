import { randomBytes } from 'node:crypto';

/** What Lambda and the stack would give the sources that the bench uses; for this process and those that it starts. */
process.env.TABLE_NAME ??= 'bench';
process.env.ROOT_KEYS ??= `k1=local:${randomBytes(32).toString('base64')}`;
process.env.AWS_REGION = 'local';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';
