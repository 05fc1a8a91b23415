import { installVirtualTime } from './virtual-time.ts';

/* Must run before any module of the service is loaded, because the modules keep what they find. */

/** The root key shared by all processes. */
export const rootBytes: Buffer = Buffer.alloc(32, 1);

Object.assign(process.env, {
  TABLE_NAME: 'simulated',
  ROOT_KEYS: `k1=local:${rootBytes.toString('base64')}`,
  EVENT_BUS_NAME: 'simulated',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  POWERTOOLS_METRICS_DISABLED: 'true',
});
installVirtualTime();
