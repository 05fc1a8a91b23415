import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type ExportedChange, subjectOf } from '#shared/integrity/chain-breaks.ts';
import { type Head, type HeadsPart, type HeadsSigner, signHeads, userDigest } from '../signed-heads.ts';

export const headsKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Signs with this key as KMS does, after its answer is converted. */
export function signerOf(key: KeyObject = headsKeys.privateKey): HeadsSigner {
  return {
    kid: 'arn:aws:kms:eu-central-1:111122223333:key/1',
    sign: async (input) => sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }),
  };
}

export const firstPart: HeadsPart = {
  service: 'auth-service',
  table: 'AuthService-prod-Items',
  run: '1',
  salt: 'AAECAwQFBgcICQoLDA0ODw',
  begun: '2026-11-21T02:00:00.000Z',
  ended: '2026-11-21T02:00:01.000Z',
  part: 1,
  isLast: true,
  previous: null,
};

/** The heads of the chains of these changes, as the table has them after the last one. */
export function headsOf(changes: readonly ExportedChange[], run = firstPart): Head[] {
  const last = new Map(changes.map((change) => [subjectOf(change), change]));
  return [...last.values()].map((change) => {
    const { appId: app, userId, role } = change;
    const isUser = change.action.startsWith('user.');
    return {
      mac: change.integrity?.mac ?? '',
      at: String(change.at),
      ...(userId !== undefined && { user: userDigest(run, userId) }),
      ...(app !== undefined && !isUser && { app }),
      ...(role !== undefined && userId === undefined && { role }),
    };
  });
}

/** The files of a run with these heads, a number of them in each. */
export async function filesOf(
  heads: readonly Head[],
  { size = 1000, signer = signerOf(), ...given }: Partial<HeadsPart> & { size?: number; signer?: HeadsSigner } = {},
): Promise<string[]> {
  const files: string[] = [];
  let previous: string | null = null;
  const count = Math.max(1, Math.ceil(heads.length / size));
  for (let part = 1; part <= count; part++) {
    const isLast = part === count;
    const own: HeadsPart = { ...firstPart, part, isLast, previous, ...given };
    const signed = await signHeads(own, heads.slice((part - 1) * size, part * size), signer);
    files.push(signed.text);
    previous = signed.digest;
  }
  return files;
}
