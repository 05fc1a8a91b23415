import { createHash, type KeyObject, verify } from 'node:crypto';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import { groupBy } from '#shared/integrity/group-by.ts';

/** The head of one chain. It outlives an erasure, so it has only a digest of the user's id. */
export interface Head {
  /** The MAC of the last change. */
  readonly mac: string;
  /** When that change was made. */
  readonly at: string;
  /** The `userDigest` of the user; absent for chains of applications, roles and connections. */
  readonly user?: string;
  readonly app?: string;
  readonly connection?: string;
  readonly role?: string;
}

/** What all parts of one reading of the table have in common. */
export interface HeadsRun {
  /** The stage's service, such as `auth-service`. */
  readonly service: string;
  readonly table: string;
  /** Identifies the run. */
  readonly run: string;
  readonly begun: string;
  /** Random; the salt of the users' digests. */
  readonly salt: string;
}

/** One part of a run, and its place in it. */
export interface HeadsPart extends HeadsRun {
  /** From 1. */
  readonly part: number;
  readonly isLast: boolean;
  /** The digest of the previous part's first line; `null` in the first part. */
  readonly previous: string | null;
  /** When the part was signed. */
  readonly ended: string;
}

/** A key that signs as ES256 does: ECDSA with P-256 and SHA-256, R and S next to each other (RFC 7518 section 3.4). */
export interface HeadsSigner {
  /** Names the key. */
  readonly kid: string;
  readonly sign: (input: string) => Promise<Uint8Array>;
}

const format = 'auth-service/heads/1';

/**
 * The file of a part: in the first line its signed statement, a JWS (RFC 7515) with the digest of all that follows; then a head
 * in each line. `digest` is for the next part.
 */
export async function signHeads(
  part: HeadsPart,
  heads: readonly Head[],
  { kid, sign }: HeadsSigner,
): Promise<{ readonly text: string; readonly digest: string }> {
  const lines = heads.map((head) => `${JSON.stringify(head)}\n`).join('');
  const statement = { format, ...part, count: heads.length, sha256: digestOf(lines) };
  const input = [{ alg: 'ES256', kid }, statement].map(encode).join('.');
  const jws = `${input}.${Buffer.from(await sign(input)).toString('base64url')}`;
  return { text: `${jws}\n${lines}`, digest: digestOf(jws) };
}

/** A part with a valid signature. */
export interface SignedHeads extends HeadsPart {
  readonly heads: readonly Head[];
  /** What the next part has as `previous`. */
  readonly digest: string;
}

/** Reads the file of a part; throws an Error, which says what the file is, unless this key has signed exactly this. */
export function readHeads(text: string, key: KeyObject): SignedHeads {
  const end = text.indexOf('\n');
  const [jws, lines] = [text.slice(0, Math.max(end, 0)), text.slice(end + 1)];
  const [header = '', payload = '', signature = ''] = jws.split('.');
  if (Object(decode(header)).alg !== 'ES256') throw new Error('is not a file of signed heads');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('is not signed with this key, or was altered');
  const { format: found, sha256, count: _, ...part } = Object(decode(payload));
  if (found !== format) throw new Error(`has the format ${found}, and this version knows ${format}`);
  if (digestOf(lines) !== sha256)
    throw new Error('does not have the heads that were signed: it was altered or cut off');
  const heads = lines.split('\n').slice(0, -1);
  return { ...part, heads: heads.map((line) => JSON.parse(line)), digest: digestOf(jws) };
}

/** A run with the heads of all its parts. */
export interface WholeRun extends HeadsRun {
  readonly heads: readonly Head[];
}

/** Puts the parts of each run together; throws an Error if one is missing, is there twice, or is of another table. */
export function wholeRuns(parts: readonly SignedHeads[]): WholeRun[] {
  const tables = new Set(parts.map(({ service, table }) => `${table} of ${service}`));
  if (tables.size > 1) throw new Error(`The signed heads are of different tables: ${[...tables].join(', ')}`);
  return [...groupBy(parts, ({ run }) => run).values()].map(wholeRun);
}

function wholeRun(parts: readonly SignedHeads[]): WholeRun {
  const ordered = parts.toSorted((one, other) => one.part - other.part);
  const [first, last] = [ordered[0], ordered.at(-1)] as [SignedHeads, SignedHeads];
  const of = `of the heads of ${first.begun}`;
  for (const [index, { part, previous }] of ordered.entries()) {
    if (part === ordered[index - 1]?.part) throw new Error(`Part ${part} ${of} is there twice`);
    if (part !== index + 1) throw new Error(`Part ${index + 1} ${of} is missing`);
    if (previous !== (ordered[index - 1]?.digest ?? null)) throw new Error(`Part ${part} ${of} follows another one`);
  }
  if (!last.isLast) throw new Error(`Parts ${of} are missing after part ${last.part}`);
  const { service, table, run, begun, salt } = first;
  return { service, table, run, begun, salt, heads: ordered.flatMap(({ heads }) => heads) };
}

/** Stands for a user in the heads of one run. 16 bytes are enough to find the user among those that an export has. */
export function userDigest({ salt }: Pick<HeadsRun, 'salt'>, userId: string): string {
  return createHash('sha256').update(canonicalJson({ salt, userId })).digest().subarray(0, 16).toString('base64url');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
