import { setTimeout as pause } from 'node:timers/promises';
import type { FakeAuthService, FakeFailure } from '../testing.ts';
import { createBrowser } from './ask-application.ts';
import type { ConformanceOptions } from './conformance-options.ts';
import { admitted, answered, closed, type Expectations, type Expected, refused } from './expectations.ts';
import type { ServedService } from './serve-service.ts';

/** What a case works with. */
export interface Bench {
  readonly options: ConformanceOptions;
  readonly service: FakeAuthService;
  readonly served: ServedService;
  readonly expect: Expectations;
}

/** A promise that an application makes by asking the service. */
export interface ConformanceCase {
  readonly name: string;
  readonly title: string;
  /** Why it cannot be checked with these options; undefined if it can. */
  readonly lacks?: (options: ConformanceOptions) => string | undefined;
  /** A case without whose success this one says nothing. */
  readonly needs?: string;
  /** Changes the access of a user who is admitted, and throws an UnmetExpectation if the application does not follow. */
  run(bench: Bench): Promise<void>;
}

/** All cases in the order in which they run. */
export const conformanceCases: readonly ConformanceCase[] = [
  {
    name: 'admitted',
    title: 'a user with access is admitted',
    // Every case begins with it.
    run: async () => {},
  },
  {
    name: 'anonymous',
    title: 'a request without a login is refused',
    run: ({ expect, options }) => expect.once(refused, createBrowser(options, 'nobody')),
  },
  {
    name: 'unknown-user',
    title: 'a user whom the service does not know is refused',
    lacks: ({ userHeader }) => (userHeader === undefined ? '--user-header' : undefined),
    run: ({ expect, options }) => expect.once(refused, createBrowser(options, 'unknown')),
  },
  {
    name: 'blocked',
    title: 'a user who is blocked is refused, also in a session that goes on',
    run: (bench) => block(bench),
  },
  {
    name: 'unblocked',
    title: 'a user whose block is lifted is admitted again',
    needs: 'blocked',
    async run(bench) {
      await block(bench);
      await bench.service.setAccess(bench.options.userId, { status: 'enabled' });
      await bench.expect.within(bench.options.withinMilliseconds, admitted);
    },
  },
  {
    name: 'inactive',
    title: 'a user who is inactive is refused, although access is set to enabled',
    async run({ service, expect, options: { userId, withinMilliseconds } }) {
      await service.setUserStatus(userId, 'inactive');
      await expect.within(withinMilliseconds, refused);
    },
  },
  {
    name: 'erased',
    title: 'a user who is erased is refused',
    async run({ service, expect, options: { userId, withinMilliseconds } }) {
      await service.deleteUser(userId);
      await expect.within(withinMilliseconds, refused);
    },
  },
  {
    name: 'role-revoked',
    title: 'a user who loses the role is refused',
    lacks: lacksRole,
    run: (bench) => loseRole(bench),
  },
  {
    name: 'similar-role',
    title: 'a role with a longer or another name does not count',
    lacks: lacksRole,
    needs: 'role-revoked',
    async run(bench) {
      const { service, expect, options } = bench;
      await loseRole(bench);
      for (const role of similarRoles(options)) await service.assignRole(options.userId, role);
      await expect.throughout(options.withinMilliseconds, refused);
    },
  },
  {
    name: 'role-ended',
    title: 'a role counts until its end, however long the application keeps its decision',
    lacks: lacksRole,
    run: outliveRole,
  },
  outageCase('no-answer', 'breaks every connection', 'no answer'),
  outageCase('unavailable', 'answers 503', { code: 'unavailable' }),
  outageCase('hang', 'does not answer at all', 'hang'),
  {
    name: 'key-refused',
    title: 'nobody is admitted while the service refuses the key of the application',
    run: async ({ service, expect, options: { withinMilliseconds } }) => {
      service.fail({ code: 'key_revoked' });
      await expect.within(withinMilliseconds, closed);
    },
  },
  {
    name: 'redirect',
    title: 'a redirect is not followed, and what it leads to is not believed',
    needs: 'blocked',
    async run(bench) {
      await block(bench);
      bench.served.deceive('redirect');
      await bench.expect.throughout(bench.options.withinMilliseconds, unfollowed(bench));
    },
  },
  {
    name: 'earlier-answer',
    title: 'an earlier answer, such as one of a cache, is not believed',
    lacks: ({ outage }) => (outage === 'open' ? '--outage closed' : undefined),
    needs: 'blocked',
    async run(bench) {
      await block(bench);
      bench.served.deceive('earlier answer');
      await bench.expect.throughout(bench.options.withinMilliseconds, closed);
    },
  },
];

function lacksRole({ role }: ConformanceOptions): string | undefined {
  return role === undefined ? '--role' : undefined;
}

async function block({ service, expect, options: { userId, withinMilliseconds } }: Bench): Promise<void> {
  await service.setAccess(userId, { status: 'disabled' });
  await expect.within(withinMilliseconds, refused);
}

async function loseRole({ service, expect, options: { userId, role = '', withinMilliseconds } }: Bench): Promise<void> {
  await service.revokeRole(userId, role);
  await expect.within(withinMilliseconds, refused);
}

/** Roles that a comparison of a part of the name, or without regard to case, takes for the required one. */
export function similarRoles({ role = '' }: ConformanceOptions): string[] {
  const swapped = role.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
  return [`${role}-trainee`, `no-${role}`, swapped]
    .map((name) => name.slice(0, maxRoleLength))
    .filter((name) => name !== role);
}

const maxRoleLength = 64;

/** How long after the end of a role it must not count any more; the clocks are those of one machine. */
const graceMilliseconds = 250;

/**
 * Lets the application learn of the end, and decide again shortly before it, so that a decision that it keeps without regard to
 * the end lasts longer than the role.
 */
async function outliveRole({ service, expect, options }: Bench): Promise<void> {
  const { userId, role = '', withinMilliseconds } = options;
  const leadMilliseconds = Math.min(750, withinMilliseconds / 2);
  await service.assignRole(userId, { role, expiresAt: new Date(Date.now() + 3_600_000) });
  await expect.within(withinMilliseconds, admitted);
  const end = Date.now() + withinMilliseconds + leadMilliseconds + 100;
  await service.assignRole(userId, { role, expiresAt: new Date(end) });
  await pause(end - leadMilliseconds - Date.now());
  await expect.once(answered);
  await pause(end + graceMilliseconds - Date.now());
  await expect.once({ ...refused, words: `${refused.words} ${graceMilliseconds} ms after the end of the role` });
}

function outageCase(name: string, cause: string, failure: FakeFailure): ConformanceCase {
  return {
    name,
    title: `while the service ${cause}, nobody is admitted, or everybody if --outage is open`,
    run({ service, expect, options: { outage, withinMilliseconds } }) {
      service.fail(failure);
      const isOpen = outage === 'open';
      return isOpen ? expect.throughout(withinMilliseconds, admitted) : expect.within(withinMilliseconds, closed);
    },
  };
}

/** An application that is open in an outage may take a redirect for one, but never follow it. */
function unfollowed({ served, options: { outage } }: Bench): Expected {
  const { followed } = served;
  const { words, accepts } = outage === 'open' ? answered : closed;
  return {
    words: `${words}, without a request to where the redirect leads`,
    accepts: (status) => accepts(status) && served.followed === followed,
  };
}
