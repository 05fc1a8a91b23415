import { expect } from '@jest/globals';
import type { Scope } from '#shared/contract/routes.ts';
import { expectProblem } from './expect-problem.ts';
import { newUser } from './new-user.ts';
import { writtenBy } from './read-history.ts';
import { type Answer, freshNonce, type Key, type RequestOptions } from './send-request.ts';
import type { TestService } from './start-service.ts';

/** An endpoint that writes, with a body that changes something for a user who was prepared for it. */
export interface Write {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly target: (userId: string) => string;
  readonly body: object;
  readonly scope: Scope;
  readonly prepare?: (userId: string) => Promise<unknown>;
}

export type AskOptions = RequestOptions & { readonly key?: Key; readonly query?: string };

/** What the tests of all writes do with one of them. */
export interface WriteKit {
  readonly service: () => TestService;
  readonly write: Write;
  /** Sends the write, as `billing` and with its own body unless told otherwise. */
  ask(userId: string, options?: AskOptions): Promise<Answer>;
  /** A new user for whom the write changes something. */
  prepared(userId?: string): Promise<string>;
  versionOf(userId: string): Promise<number>;
  /** Sends the very same bytes twice: all that is written is their nonce, so that the second can never take effect. */
  spendsItsNonce(userId: string, options: AskOptions, expected: (answer: Answer) => void): Promise<void>;
}

export function writeKit(service: () => TestService, write: Write): WriteKit {
  const ask: WriteKit['ask'] = (userId, { query = '', ...options } = {}) =>
    service().request([write.method, write.target(userId) + query], { body: write.body, ...options });
  return {
    service,
    write,
    ask,
    prepared: async (userId) => {
      const user = await newUser(userId);
      await write.prepare?.(user);
      return user;
    },
    versionOf: async (userId) => {
      const { body } = await service().request(['GET', `/api/service/users/${userId}/access`]);
      return body.version;
    },
    spendsItsNonce: async (userId, options, expected) => {
      const same = { ...options, signing: { nonce: freshNonce(), created: Math.floor(Date.now() / 1000) } };
      const twice = async () => {
        expected(await ask(userId, same));
        expectProblem(await ask(userId, same), 'nonce_replayed');
      };
      expect(await writtenBy(service(), twice)).toEqual(['NONCE#*']);
    },
  };
}
