import type { coreServiceOperations } from '#shared/contract/core-operations.ts';
import { exampleRequest } from '#shared/contract/documents.ts';
import type { Operation } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { alterItem } from './alter-item.ts';
import { grantRole, setStatus } from './new-application.ts';
import { newUser } from './new-user.ts';
import { optionOutcomes } from './option-outcomes.ts';
import type { AnyCall, Never, Others, ServiceOutcomes } from './outcomes.ts';
import type { TestService } from './start-service.ts';
import { fromNow } from './timestamps.ts';

const anyUser: Never = { never: 'A user who does not exist is one of the items of the answer.' };
const noUser: Never = { never: 'It names no user, and the application of a key exists.' };

/** The requests of applications for each operation, by outcome. */
export function serviceOutcomes(service: () => TestService): Readonly<Record<string, Others<AnyCall>>> {
  const reads = Object.values(serviceOperations).filter(({ writes }) => !writes);
  const ofOptions = optionOutcomes.map((option) => option.service?.(service));
  const examples = Object.fromEntries(reads.map((read) => [read.name, exampleOutcomes(read)]));
  return Object.assign(examples, ownOutcomes(service), ...ofOptions);
}

/** Returns the outcomes of a read: its example for a new user, and for an unknown user if its path names one. */
function exampleOutcomes(read: Operation): Others<AnyCall> {
  const done = async () => ({ call: exampleRequest(read, await newUser()), status: read.statuses?.[0] ?? 200 });
  if (!read.path.includes('{userId}')) return { done, refused: noUser };
  return { done, refused: async () => ({ call: exampleRequest(read, 'nobody'), status: 404 }) };
}

/**
 * The outcomes that an example cannot show. Required for a write; a read needs them only for further table accesses.
 */
function ownOutcomes(service: () => TestService): Pick<ServiceOutcomes, keyof typeof coreServiceOperations> {
  /** Closes the application or a role of it until a moment ago. */
  const close = (sk: string) => alterItem(service(), ['APP#billing', sk], ['closedUntil'], fromNow(-1));
  return {
    'set-access': {
      done: async () => ({
        call: {
          path: { userId: await newUser() },
          body: { status: 'disabled', reason: 'left', until: fromNow(60_000) },
        },
        status: 200,
      }),
      unchanged: async () => {
        const userId = await newUser();
        await setStatus(userId, 'billing', 'enabled');
        return { call: { path: { userId }, body: { status: 'enabled', reason: 'a reason' } }, status: 200 };
      },
      'done, which ends a closing': async () => {
        await close('APP');
        return {
          call: { path: { userId: await newUser() }, body: { status: 'disabled', reason: 'left' } },
          status: 200,
        };
      },
      refused: async () => ({ call: { path: { userId: 'nobody' }, body: { status: 'enabled' } }, status: 404 }),
    },
    'assign-role': {
      done: async () => ({ call: { path: { userId: await newUser() }, body: { role: 'viewer' } }, status: 200 }),
      'done for a user whose other grant has expired': async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'editor', fromNow(60_000));
        await alterItem(service(), [`USER#${userId}`, 'ACCESS#billing'], ['roles', 'editor', 'expiresAt'], fromNow(-1));
        return { call: { path: { userId }, body: { role: 'viewer' } }, status: 200 };
      },
      'done, which ends a closing': async () => {
        await close('ROLE#viewer');
        return { call: { path: { userId: await newUser() }, body: { role: 'viewer' } }, status: 200 };
      },
      unchanged: async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'viewer');
        return { call: { path: { userId }, body: { role: 'viewer' } }, status: 200 };
      },
      refused: async () => ({ call: { path: { userId: 'ada' }, body: { role: 'nothing' } }, status: 404 }),
    },
    'revoke-role': {
      done: async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'viewer');
        return { call: { path: { userId }, body: { role: 'viewer' } }, status: 200 };
      },
      'done, which ends a closing': async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'viewer');
        await close('APP');
        return { call: { path: { userId }, body: { role: 'viewer' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { role: 'viewer' } }, status: 200 }),
      refused: async () => ({ call: { path: { userId: 'nobody' }, body: { role: 'viewer' } }, status: 404 }),
    },
    'check-access': {
      done: async () => ({ call: { body: { userIds: ['ada', 'nobody'] } }, status: 200 }),
      'done for as many as it takes': async () => ({
        call: { body: { userIds: Array.from({ length: 100 }, (_, n) => `user-${n}`) } },
        status: 200,
      }),
      refused: anyUser,
    },
    'get-snapshot': {
      done: async () => {
        const userId = await newUser();
        await setStatus(userId, 'billing', 'disabled');
        return { call: { query: {} }, status: 200 };
      },
      'done in part': async () => ({ call: { query: { limit: 1 } }, status: 200 }),
      refused: noUser,
    },
    'list-changes': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done in part': async () => ({ call: { query: { limit: 1 } }, status: 200 }),
      refused: noUser,
    },
  };
}
