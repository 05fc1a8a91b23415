import * as v from 'valibot';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import {
  type ChangeVerdict,
  maxChangesToVerify,
  type PostedChange,
  postedChangeSchema,
  type verifyChangesOperation,
} from '#shared/contract/history.ts';
import type { BodyInput } from '#shared/contract/operation.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import type { CommandContext } from '../service/command-context.ts';
import type { Finding } from './breaks.ts';

/** A progress line is printed after this many requests. */
const noteRequests = 20;

interface Pending {
  readonly change: ExportedChange;
  readonly posted: PostedChange;
}

/**
 * The Changes that the service did not write: it has the key, and gets no personal data. Sends them in sequential requests of
 * the maximum size.
 */
export async function findChanged(
  { client, terminal }: CommandContext,
  changes: readonly ExportedChange[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const pending: Pending[] = [];
  for (const change of changes) {
    if (change.integrity === undefined) continue;
    const posted = redactChange(change);
    if (isVerifiable(posted)) pending.push({ change, posted });
    else findings.push({ kind: 'changed', change });
  }
  const batches = packed(pending);
  for (const [index, batch] of batches.entries()) {
    const body = { changes: batch.map(({ posted }) => posted) } as BodyInput<typeof verifyChangesOperation>;
    const { items } = await client.call('verify-changes', { body });
    findings.push(...batch.flatMap(({ change }, at) => findingOf(change, items[at])));
    if ((index + 1) % noteRequests === 0)
      terminal.note(`Verified the MACs: request ${index + 1} of ${batches.length} …`);
  }
  return findings;
}

/** Whether the service can have written the Change; any other need not be sent. */
function isVerifiable(redacted: object | undefined): redacted is PostedChange {
  return v.is(postedChangeSchema, redacted) && sizeOf(redacted) + sizeOf({ changes: [] }) <= maxBodyBytes;
}

function sizeOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function findingOf(change: ExportedChange, answer: ChangeVerdict | undefined): Finding[] {
  return answer?.verdict === 'unchanged' ? [] : [{ kind: answer?.verdict ?? 'changed', change }];
}

/** Batches of Changes that each fit one request. */
function packed(pending: readonly Pending[]): Pending[][] {
  const batches: Pending[][] = [];
  let bytes = 0;
  for (const each of pending) {
    const size = sizeOf(each.posted) + 1;
    const last = batches.at(-1);
    if (last === undefined || last.length === maxChangesToVerify || bytes + size > maxBodyBytes) {
      batches.push([each]);
      bytes = sizeOf({ changes: [] }) + size;
    } else {
      last.push(each);
      bytes += size;
    }
  }
  return batches;
}
