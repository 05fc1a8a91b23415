import type { Node } from 'constructs';

/** What a deployment may choose, by `-c <name>=<value>` or under `context` in `cdk.json`. */
export interface Settings {
  /** Host names of a proxy in front that clients sign as `@authority`, separated by commas. Default: none. */
  readonly publicAuthorities: string;
  /** Days that a Change stays in the table. Default: 365. */
  readonly changeRetentionDays: number;
  /** Requests a second that the API lets through. Default: 1000. */
  readonly throttleRate: number;
  /** Requests that may arrive at once on top of the rate. Default: 2000. */
  readonly throttleBurst: number;
}

/** Reads the settings from the context; throws on one that is no whole number above zero where one is due. */
export function readSettings(node: Node): Settings {
  return {
    publicAuthorities: String(node.tryGetContext('publicAuthorities') ?? ''),
    changeRetentionDays: readPositiveInteger(node, 'changeRetentionDays', 365),
    throttleRate: readPositiveInteger(node, 'throttleRate', 1000),
    throttleBurst: readPositiveInteger(node, 'throttleBurst', 2000),
  };
}

function readPositiveInteger(node: Node, name: string, byDefault: number): number {
  const value: unknown = node.tryGetContext(name) ?? byDefault;
  if (!/^[1-9]\d{0,5}$/.test(String(value))) {
    throw new Error(`The context value ${name} must be a whole number from 1 to 999999, not ${value}`);
  }
  return Number(value);
}
