import { InvalidRequestError } from './client-error.ts';
import type { ChangePage, ChangesOptions, AuthServiceClient as Client, WriteOptions } from './client-interface.ts';
import { internals } from './client-internals.ts';
import { type AuthServiceClientOptions, createSend, type Send } from './create-send.ts';
import type { Members } from './read-answer.ts';
import { maxSeconds, type OptionRule, type OptionRules, readOptions } from './read-options.ts';
import {
  type ChangedAccess,
  type CheckedAccess,
  type Grant,
  maxPageSize,
  type Revocation,
  userIdPattern,
} from './service-contract.ts';
import { pause } from './time-limit.ts';

/** The public members of the client: this type is the same in every copy of the package. */
// An interface, because the reference shows the members of one, and of an alias none.
export interface AuthServiceClient extends Client {}

/** Creates clients. Throws a TypeError for invalid options. */
export const AuthServiceClient: new (options: AuthServiceClientOptions) => AuthServiceClient = class implements Client {
  readonly #send: Send;

  constructor(options: AuthServiceClientOptions) {
    const own = createSend(options);
    this.#send = own.send;
    // Not a declared member: bundlers keep a class with a computed member even if it is unused.
    Object.assign(this, { [internals]: own });
  }

  async isAllowed(userId: string, options?: WriteOptions): Promise<boolean> {
    const access = await this.getAccess(userId, options).catch((error) => {
      // An unknown user, or an invalid id: nothing else in a read can be invalid.
      if (!['user_not_found', 'invalid_request'].includes(error.code)) throw error;
    });
    return access?.effectiveStatus === 'enabled';
  }

  getAccess(userId: string, options?: WriteOptions): Promise<ChangedAccess> {
    return this.#ask(userId, options, { method: 'GET', path: 'users/{userId}/access' });
  }

  async checkAccess(userIds: readonly string[], options?: WriteOptions): Promise<readonly CheckedAccess[]> {
    const { items } = await this.#send({
      ...readOptions('the call', options, callRules),
      method: 'POST',
      path: 'access/check',
      reads: true,
      body: { userIds },
      isExpected: ({ items: answers }, keyId) =>
        Array.isArray(answers) &&
        answers.length === userIds.length &&
        userIds.every((id, index) => isAnswerAbout(id, Object(answers[index]), keyId)),
    });
    return items;
  }

  setAccess(userId: string, setting: object, options?: WriteOptions): Promise<ChangedAccess> {
    return this.#ask(userId, options, { method: 'PUT', path: 'users/{userId}/access', body: setting });
  }

  assignRole(userId: string, grant: Grant | string, options?: WriteOptions): Promise<ChangedAccess> {
    const body = typeof grant === 'string' ? { role: grant } : grant;
    return this.#ask(userId, options, { method: 'POST', path: 'roles/{userId}/assign', body });
  }

  async revokeRole(userId: string, revocation: Revocation | string, options?: WriteOptions): Promise<ChangedAccess> {
    const request = { method: 'DELETE', path: 'users/{userId}/revoke' };
    if (typeof revocation === 'object') return this.#ask(userId, options, { ...request, body: revocation });
    requireIdentifier(revocation, 'query:role');
    // In the query, because some proxies drop the body of a DELETE.
    const query = `?role=${encodeURIComponent(revocation)}`;
    return this.#ask(userId, options, { ...request, query });
  }

  async *changes(options: ChangesOptions = {}): AsyncGenerator<ChangePage, void> {
    const rules = { after: aCursor, pollSeconds: maxSeconds, signal: aSignal };
    const { after, pollSeconds, signal } = readOptions('the call', options, rules);
    let known: readonly string[] = [];
    for (let cursor = after; ; ) {
      const from = cursor ? `&after=${encodeURIComponent(cursor)}` : '';
      const page = await this.#send({
        method: 'GET',
        path: 'changes',
        target: `changes?limit=${maxPageSize}${from}`,
        signal,
        isExpected: ({ items, more, cursor: next }) =>
          Array.isArray(items) && !!next && (more ? next !== cursor : more === false),
      });
      cursor = page.cursor;
      // Changes are repeated until they have a number.
      const items = page.items.filter(({ id }: Members) => !known.includes(id));
      known = [...known, ...items.map(({ id }: Members) => id)].slice(-1000);
      if (items[0]) yield { items, cursor: page.cursor };
      if (page.more) continue;
      if (!pollSeconds) return;
      await pause(pollSeconds * 1000, signal);
    }
  }

  async #ask(userId: string, options: WriteOptions | undefined, request: UserRequest): Promise<ChangedAccess> {
    const call = readOptions('the call', options, callRules);
    requireIdentifier(userId, 'path:userId');
    const { path, query = '' } = request;
    return this.#send({
      ...call,
      ...request,
      target: path.replace('{userId}', encodeURIComponent(userId)) + query,
      isExpected: (answer, keyId) => isAccess(userId, answer, keyId),
    }) as Promise<ChangedAccess>;
  }
};

const aCursor: OptionRule = ['a cursor', (value) => value === null || typeof value === 'string'];
const aSignal: OptionRule = ['an AbortSignal', (value) => value === null || 'aborted' in Object(value)];
const callRules: OptionRules = { signal: aSignal, ifVersion: 'number' };

/** A request about one user. */
interface UserRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
}

function isAnswerAbout(userId: string, answer: Members, keyId: string): boolean {
  return (answer.code === 'user_not_found' && answer.userId === userId) || isAccess(userId, answer, keyId);
}

/** Whether an answer is this user's access to the application in the key id, with a valid status. */
function isAccess(userId: string, { userId: id, appId, effectiveStatus, roles }: Members, keyId: string): boolean {
  return (
    id === userId &&
    appId === keyId.split('_')[2] &&
    ['enabled', 'disabled'].includes(effectiveStatus) &&
    Array.isArray(roles)
  );
}

/** Throws for an id that cannot be part of a path or query, before a request is sent; role names have a smaller alphabet. */
function requireIdentifier(value: unknown, pointer: string): void {
  if (typeof value === 'string' && userIdPattern.test(value)) return;
  throw new InvalidRequestError({ code: 'invalid_request', detail: `${pointer} must match ${userIdPattern}` });
}
