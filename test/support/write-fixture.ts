import { expect } from '@jest/globals';
import type { Scope } from '#shared/contract/operation.ts';
import { expectProblem } from './expect-problem.ts';
import { newUser } from './new-user.ts';
import { writtenBy } from './read-history.ts';
import { type Answer, freshNonce, type Key, type RequestOptions } from './send-request.ts';
import type { TestService } from './start-service.ts';

/** A writing endpoint, with a body that changes something for a user set up by `prepare`. */
export interface Write {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly target: (userId: string) => string;
  readonly body: object;
  readonly scope: Scope;
  readonly prepare?: (userId: string) => Promise<unknown>;
}

export type AskOptions = RequestOptions & { readonly key?: Key; readonly query?: string };

/** A write with the steps shared by the tests of all writes. */
export interface WriteFixture {
  readonly service: () => TestService;
  readonly write: Write;
  /** Sends the write, by default as `billing` and with its own body. */
  ask(userId: string, options?: AskOptions): Promise<Answer>;
  /** Creates a user for whom the write changes something. */
  preparedUser(userId?: string): Promise<string>;
  versionOf(userId: string): Promise<number>;
  /** Sends identical bytes twice, and expects that only their nonce is written, so that the second is a replay. */
  expectOnlyNonceWritten(userId: string, options: AskOptions, expected: (answer: Answer) => void): Promise<void>;
}

export function writeFixture(service: () => TestService, write: Write): WriteFixture {
  const ask: WriteFixture['ask'] = (userId, { query = '', ...options } = {}) =>
    service().request([write.method, write.target(userId) + query], { body: write.body, ...options });
  return {
    service,
    write,
    ask,
    preparedUser: async (userId) => {
      const user = await newUser(userId);
      await write.prepare?.(user);
      return user;
    },
    versionOf: async (userId) => {
      const { body } = await service().request(['GET', `/api/service/users/${userId}/access`]);
      return body.version;
    },
    expectOnlyNonceWritten: async (userId, options, expected) => {
      const same = { ...options, signing: { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) } };
      const twice = async () => {
        expected(await ask(userId, same));
        expectProblem(await ask(userId, same), 'nonce_replayed');
      };
      expect(await writtenBy(service(), twice)).toEqual(['NONCE#*']);
    },
  };
}
