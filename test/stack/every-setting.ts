import type { Node } from 'constructs';
import { readSettings } from '../../lib/settings.ts';

/** The names of all context values that the stack reads. */
export function settingNames(): string[] {
  const names = new Set<string>();
  // What depends on another value is read only when that is there.
  for (const executeApi of [undefined, 'off']) {
    const given: Record<string, unknown> = { ...prerequisites, executeApi };
    const tryGetContext = (name: string) => {
      names.add(name);
      return given[name];
    };
    readSettings({ tryGetContext } as unknown as Node);
  }
  return [...names].sort();
}

const prerequisites = {
  stage: 'prod',
  region: 'eu-central-1',
  replicaRegions: 'eu-west-1',
  apiDomain: 'api.example.com',
  apiCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
  webhookUrl: 'https://hooks.example.com',
  webhookSecretName: 'auth-service/webhook',
};
