import type { FieldError } from './problems.ts';

/** The error about one field of a request as a sentence for people, without the name of the field. */
export function wordsOfField({ detail }: FieldError): string {
  // The rest is advice for programs.
  return `${detail.replace('; leave it out instead', '')}.`;
}

const names: Readonly<Record<string, string>> = {
  userId: 'The user ID',
  displayName: 'The name',
  email: 'The e-mail address',
  appId: 'The application ID',
  keyId: 'The key ID',
  expiresAt: 'The end',
  until: 'The end',
  q: 'The search',
  actor: 'The operator or API key',
};

/** The errors about single fields as sentences for people, with the names that people know. */
export function describeFieldErrors(errors: readonly FieldError[]): string[] {
  return errors.map((one) => `${nameOf(one)} ${wordsOfField(one)}`);
}

/** The field is the last part of the pointer that is not a list index. */
function nameOf({ pointer }: FieldError): string {
  const name = pointer.split(/[/:]/).findLast((part) => !/^\d*$/.test(part)) ?? 'input';
  return names[name] ?? `The ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}
