import * as v from 'valibot';
import { maxBodyBytes } from '#shared/contract/fields.ts';
import {
  type ChangeVerdict,
  maxChangesToVerify,
  type PostedChange,
  postedChangeSchema,
} from '#shared/contract/history.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import type { Finding } from '#shared/integrity/check-chains.ts';

/** The service, which alone has the keys of the MACs. */
export interface Verifier {
  /** The form in which a change is sent; undefined if the service cannot have written it. */
  readonly prepare: (change: ExportedChange) => object | undefined;
  readonly ask: (changes: readonly PostedChange[]) => Promise<readonly ChangeVerdict[]>;
  /** Called after each request. */
  readonly onRequest?: (done: number, total: number) => void;
}

interface Pending {
  readonly change: ExportedChange;
  readonly posted: PostedChange;
}

/** The changes with a MAC that the service did not write. Sends them in sequential requests of the maximum size. */
export async function findChanged(
  changes: readonly ExportedChange[],
  { prepare, ask, onRequest }: Verifier,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const pending: Pending[] = [];
  for (const change of changes) {
    if (change.integrity === undefined) continue;
    const posted = prepare(change);
    if (isVerifiable(posted)) pending.push({ change, posted });
    else findings.push({ kind: 'changed', change });
  }
  const batches = packed(pending);
  for (const [index, batch] of batches.entries()) {
    const verdicts = await ask(batch.map(({ posted }) => posted));
    findings.push(...batch.flatMap(({ change }, at) => findingOf(change, verdicts[at])));
    onRequest?.(index + 1, batches.length);
  }
  return findings;
}

/** Whether the service can have written the change; any other need not be sent. */
function isVerifiable(posted: object | undefined): posted is PostedChange {
  return v.is(postedChangeSchema, posted) && sizeOf(posted) + sizeOf({ changes: [] }) <= maxBodyBytes;
}

const encoder = new TextEncoder();

function sizeOf(value: object): number {
  return encoder.encode(JSON.stringify(value)).length;
}

function findingOf(change: ExportedChange, answer: ChangeVerdict | undefined): Finding[] {
  return answer?.verdict === 'unchanged' ? [] : [{ kind: answer?.verdict ?? 'changed', change }];
}

/** Batches of changes that each fit one request. */
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
