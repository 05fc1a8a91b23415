import { readCidr } from '#shared/core/config.ts';
import { type EndpointSet, endpointSets } from '../options/endpoint-sets.ts';
import { listSettings } from '../options/list-settings.ts';
import type { GivenSettings } from './given-settings.ts';
import { readList, readSwitch, readText } from './setting-value.ts';

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
    throw new Error(`The settings ${what}Domain and ${what}CertificateArn belong together: set both or neither`);
  }
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(name)) {
    throw new Error(`The setting ${what}Domain must be a host name in lower case, not ${name}`);
  }
  const [, region] = /^arn:[\w-]+:acm:([\w-]+):\d{12}:certificate\/\S+$/.exec(certificateArn) ?? [];
  if (region === undefined || region !== (certificateRegion ?? region)) {
    const where = certificateRegion === undefined ? 'the ARN of a certificate' : `of ${certificateRegion}`;
    throw new Error(`The setting ${what}CertificateArn must be ${where}, not ${certificateArn}`);
  }
  return { name, certificateArn };
}

/** The address ranges that may call the Service API. */
export function readAllowedCidrs(given: GivenSettings): string[] {
  const ranges = readList(given, 'allowedCidrs');
  // The environment variables of a function are limited to 4 KB in total.
  if (ranges.join().length > 2000) throw new Error('The setting allowedCidrs may have at most 2,000 characters');
  const refused = ranges.find((range) => readCidr(range) === undefined);
  if (refused === undefined) return ranges;
  throw new Error(`The setting allowedCidrs must list ranges such as 203.0.113.0/24,2001:db8::/32; not ${refused}`);
}

/** The sets of endpoints for connections that the stack has. */
export function readEndpoints(given: GivenSettings): EndpointSet[] {
  const sets = readList(given, 'endpoints');
  const unknown = sets.find((set) => !Object.hasOwn(endpointSets, set));
  if (unknown === undefined) return [...new Set(sets)];
  throw new Error(`The setting endpoints must list some of ${Object.keys(endpointSets).join(', ')}; not ${unknown}`);
}

/** What a list setting of an option names, in the order of the values that it can have. */
export function readListOf(given: GivenSettings, name: 'webhooks'): readonly string[] {
  const { [name]: allowed = [] } = listSettings;
  const named = readList(given, name);
  const unknown = named.find((value) => !allowed.includes(value));
  if (unknown === undefined) return allowed.filter((value) => named.includes(value));
  throw new Error(`The setting ${name} must list some of ${allowed.join(', ')}; not ${unknown}`);
}

/** Seconds for which reads of accesses may use a cached state of an application's keys. */
export function readKeyStateCacheSeconds(given: GivenSettings): number {
  const text = readText(given, 'keyStateCacheSeconds') ?? '0';
  if (/^\d{1,3}$/.test(text) && Number(text) <= 300) return Number(text);
  throw new Error(`The setting keyStateCacheSeconds must be a whole number from 0 to 300, not ${text}`);
}

/** API Gateway's own endpoint can be off only with a custom domain: without one, the API would not be reachable. */
export function readExecuteApi(given: GivenSettings): 'on' | 'off' {
  const executeApi = readSwitch(given, 'executeApi', true) ? 'on' : 'off';
  if (executeApi === 'on' || readText(given, 'apiDomain') !== undefined) return executeApi;
  throw new Error('The setting executeApi can be off only with apiDomain: otherwise the API would not be reachable');
}
