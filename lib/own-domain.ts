import type { Node } from 'constructs';
import { readText } from './context-value.ts';

/** A custom domain; its DNS record is not part of the stack. */
export interface OwnDomain {
  readonly name: string;
  /** The ARN of a certificate for it. */
  readonly certificateArn: string;
}

/** From the context values `<what>Domain` and `<what>CertificateArn`: both or neither. */
export function readDomain(node: Node, what: 'dashboard' | 'api', certificateRegion?: string): OwnDomain | undefined {
  const [name, certificateArn] = [readText(node, `${what}Domain`), readText(node, `${what}CertificateArn`)];
  if (name === undefined && certificateArn === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new Error(`The context values ${what}Domain and ${what}CertificateArn go together: give both, or neither`);
  }
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(name)) {
    throw new Error(`The context value ${what}Domain must be a host name in small letters, not ${name}`);
  }
  const [, region] = /^arn:[\w-]+:acm:([\w-]+):\d{12}:certificate\/\S+$/.exec(certificateArn) ?? [];
  if (region === undefined || region !== (certificateRegion ?? region)) {
    const where = certificateRegion === undefined ? 'the ARN of a certificate' : `of ${certificateRegion}`;
    throw new Error(`The context value ${what}CertificateArn must be ${where}, unlike ${certificateArn}`);
  }
  return { name, certificateArn };
}
