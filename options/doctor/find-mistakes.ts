import { createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { computeMac, createMacKey } from '#shared/signature/mac.ts';
import type { ParsedSignature } from '#shared/signature/scan.ts';
import { type Guess, guessBases } from './guess-base.ts';
import type { MistakeId } from './mistakes.ts';
import type { Received } from './receive-request.ts';

/** The base that was signed, as the MAC proves, and the mistakes that lead to it; none if the service accepts it. */
export interface Signed {
  readonly base: string;
  readonly mistakes: readonly MistakeId[];
}

/**
 * Tries common mistakes in the text, its line breaks and the secret, one at a time and then combined, until the MAC
 * matches.
 */
export function findMistakes(received: Received, parsed: ParsedSignature, secret: string): Signed | undefined {
  const attempts = [...guessTogether(guessBases(received, parsed), guessKeys(secret))];
  attempts.sort((one, other) => one.mistakes.length - other.mistakes.length);
  const { algorithm, mac } = parsed;
  const found = attempts.find(({ write, key }) => timingSafeEqual(computeMac(write(), key, algorithm), mac));
  return found && { base: found.write(), mistakes: found.mistakes };
}

interface Attempt {
  readonly write: () => string;
  readonly key: KeyObject;
  readonly mistakes: readonly MistakeId[];
}

function* guessTogether(bases: Iterable<Guess<string>>, keys: readonly Guess<KeyObject>[]): Generator<Attempt, void> {
  for (const base of bases) {
    for (const [form, key] of forms.flatMap((one) => keys.map((other) => [one, other] as const))) {
      const mistakes = [base.mistake, form.mistake, key.mistake].filter((mistake) => mistake !== undefined);
      yield { write: () => form.value(base.value), key: key.value, mistakes };
    }
  }
}

const forms: readonly Guess<(base: string) => string>[] = [
  { value: (base) => base, mistake: undefined },
  { value: (base) => `${base}\n`, mistake: 'trailing_line_break' },
  { value: (base) => base.replaceAll('\n', '\r\n'), mistake: 'crlf' },
  { value: (base) => `${base}\n`.replaceAll('\n', '\r\n'), mistake: 'crlf' },
  { value: (base) => base.replaceAll('\n', '\\n'), mistake: 'escaped_line_breaks' },
];

function guessKeys(secret: string): readonly Guess<KeyObject>[] {
  const bare = secret.slice('svs_'.length);
  const text = (mistake: MistakeId, value: string) => ({ value: createMacKey(value), mistake });
  const decoded = (value: string) => createSecretKey(Buffer.from(value, 'base64url'));
  return [
    { value: createMacKey(secret), mistake: undefined },
    ...['\n', '\r\n', ' ', '\r'].map((space) => text('secret_white_space', secret + space)),
    text('secret_prefix', bare),
    { value: decoded(bare), mistake: 'secret_decoded' },
    { value: decoded(secret), mistake: 'secret_decoded' },
    text('secret_quotes', `"${secret}"`),
    text('secret_quotes', `'${secret}'`),
  ];
}
