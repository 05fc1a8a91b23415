import type { GivenSettings } from './given-settings.ts';
import { readText } from './setting-value.ts';

/** A custom domain; its DNS record is not part of the stack. */
export interface OwnDomain {
  readonly name: string;
  /** The ARN of a certificate for it. */
  readonly certificateArn: string;
}

/** From the settings `<what>Domain` and `<what>CertificateArn`: both or neither. */
export function readDomain(
  given: GivenSettings,
  what: 'dashboard' | 'api',
  certificateRegion?: string,
): OwnDomain | undefined {
  const [name, certificateArn] = [readText(given, `${what}Domain`), readText(given, `${what}CertificateArn`)];
  if (name === undefined && certificateArn === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new Error(`The settings ${what}Domain and ${what}CertificateArn go together: give both, or neither`);
  }
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(name)) {
    throw new Error(`The setting ${what}Domain must be a host name in small letters, not ${name}`);
  }
  const [, region] = /^arn:[\w-]+:acm:([\w-]+):\d{12}:certificate\/\S+$/.exec(certificateArn) ?? [];
  if (region === undefined || region !== (certificateRegion ?? region)) {
    const where = certificateRegion === undefined ? 'the ARN of a certificate' : `of ${certificateRegion}`;
    throw new Error(`The setting ${what}CertificateArn must be ${where}, unlike ${certificateArn}`);
  }
  return { name, certificateArn };
}
