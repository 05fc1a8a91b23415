import { createPublicKey, type KeyObject } from 'node:crypto';
import { CliError, notSent } from '#cli/terminal/cli-error.ts';
import { formatRelative, formatTime } from '#cli/terminal/format-time.ts';
import { readText } from '#cli/terminal/read-input.ts';
import type { Terminal } from '#cli/terminal/terminal.ts';
import { countOf } from '#shared/contract/wording.ts';
import { type ExportedChange, subjectOf } from '#shared/integrity/chain-breaks.ts';
import { missingChanges, type WantedChange } from '../missing-changes.ts';
import { type Head, readHeads, type SignedHeads, userDigest, type WholeRun, wholeRuns } from '../signed-heads.ts';

export interface HeadsOptions {
  /** The files of signed heads. Default: none. */
  readonly heads?: readonly string[];
  /** The file of the public key that verifies them. */
  readonly headsKey?: string;
}

/** What comparing an export with signed heads found. */
export interface HeadsReport {
  readonly isSound: boolean;
  /** For `--json`. */
  readonly view: object;
  /** For people. */
  readonly lines: readonly string[];
}

/**
 * The runs in the files of signed heads; undefined without any. Fails unless the given key has signed all files, and they
 * contain each run completely. Never asks the service for the key.
 */
export async function readRuns(
  { heads: files, headsKey }: HeadsOptions,
  terminal: Terminal,
): Promise<readonly WholeRun[] | undefined> {
  if (files === undefined && headsKey === undefined) return undefined;
  if (files === undefined) throw notSent('--heads-key is only for files of signed heads: add --heads <files...>.');
  if (headsKey === undefined) {
    throw notSent('Signed heads are verified with a public key that you keep: add --heads-key <file>.');
  }
  const key = readPublicKey(await readText(headsKey, terminal));
  if (key === undefined) throw notSent(`${headsKey} is not a public key of P-256, as PEM, JWK or base64.`);
  const parts: SignedHeads[] = [];
  for (const file of files) {
    const text = await readText(file, terminal);
    parts.push(orRefuse(() => readHeads(text, key), `${file} `));
  }
  return orRefuse(() => wholeRuns(parts), '');
}

function orRefuse<Result>(read: () => Result, beginning: string): Result {
  try {
    return read();
  } catch (error) {
    const notes = ['Pass the files as they are in the bucket, all of a run, and the key of their stage.'];
    throw new CliError(`${beginning}${(error as Error).message}.`, { cause: error, notes });
  }
}

function readPublicKey(text: string): KeyObject | undefined {
  const trimmed = text.trim();
  try {
    const key = trimmed.startsWith('{')
      ? createPublicKey({ key: JSON.parse(trimmed), format: 'jwk' })
      : trimmed.startsWith('-')
        ? createPublicKey(trimmed)
        : createPublicKey({ key: Buffer.from(trimmed, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

interface WantedHead extends WantedChange {
  readonly head: Head;
  readonly run: WholeRun;
}

/**
 * Demands of an export, whose changes are verified, the change at the head of each chain; with `appId` only of the chains that
 * are the application's. What may be missing is the same as with a witness.
 */
export function reportHeads(
  runs: readonly WholeRun[],
  exported: readonly ExportedChange[],
  appId: string | undefined,
): HeadsReport {
  const userIds = new Set(exported.map(({ userId }) => userId).filter((userId) => userId !== undefined));
  const wanted = runs.flatMap((run) => {
    const known = new Map([...userIds].map((userId) => [userDigest(run, userId), userId]));
    const heads = run.heads.filter(({ app }) => appId === undefined || app === appId);
    return heads.map((head): WantedHead => ({ ...head, head, run, userId: known.get(head.user ?? '') }));
  });
  const { missing, older } = missingChanges(wanted, exported);
  const [first, newest] = [
    missing.toSorted(byTime)[0],
    runs
      .map(({ begun }) => begun)
      .sort()
      .at(-1) ?? '',
  ];
  const checked = wanted.length;
  return {
    isSound: missing.length === 0,
    view: { heads: { checked, older, newest, kind: 'head-not-in-export', missing: missing.map(missingView) } },
    lines: [
      ...(first === undefined ? [] : [sentence(first, missing.length)]),
      `Looked for ${countOf(checked, 'signed head')} in the export. ${olderThanExport(older)}`,
      `The newest heads are of ${formatTime(newest)} (${formatRelative(newest)}); nothing later is compared.`,
    ],
  };
}

/** Changes that an export may lack because they have expired. */
export function olderThanExport(count: number): string {
  return `${count === 1 ? '1 is' : `${count} are`} older than it.`;
}

function byTime({ at: one }: WantedHead, { at: other }: WantedHead): number {
  return one < other ? -1 : 1;
}

function missingView({ head, run, ...wanted }: WantedHead) {
  return { subject: nameOf({ head, userId: wanted.userId }), at: head.at, mac: head.mac, signedAt: run.begun };
}

function sentence(wanted: WantedHead, count: number): string {
  const { subject, at, mac, signedAt } = missingView(wanted);
  const more = count > 1 ? ` (${countOf(count, 'missing head')})` : '';
  return `MISSING: the change of ${subject} at ${at} with the MAC ${mac} was the last one of its history at ${signedAt}, and is not in the export: it was removed, or the table was rolled back.${more}`;
}

/** The heads have no ids of users: one that the export does not have is unknown. */
function nameOf({
  head: { user, app: appId, connection: connectionId, role },
  userId,
}: Pick<WantedHead, 'head' | 'userId'>): string {
  const action = appId === undefined ? 'user.' : 'access.';
  return subjectOf({ id: '', action, appId, connectionId, role, userId: user && (userId ?? '(not in the export)') });
}
