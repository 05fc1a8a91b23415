import { createBulkId } from '#shared/contract/bulk-calls.ts';
import type { Change } from '#shared/contract/change.ts';
import type { CallRecord, Clients } from '#test/simulation/clients.ts';
import { Draw } from '#test/simulation/draw.ts';
import type { Actor, RunOfPart } from '#test/simulation/option-parts.ts';
import type { Swarm } from '#test/simulation/swarm.ts';
import { wait } from '#test/simulation/virtual-time.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { OffboardingReceipt } from '../../offboarding.ts';
import type { offboarding } from './review-code.ts';

/** Imports and offboardings take many calls, so only every so many seeds have them. */
const personnelEvery = 19;
const firstPersonnel = 6;

/** An offboarding that an operator took back. */
export interface TakenBack {
  readonly userId: string;
  readonly receipt: OffboardingReceipt;
  /** The calls of both, in their order. */
  readonly calls: readonly CallRecord[];
  readonly startedAt: number;
  readonly offboardedAt: number;
  readonly endedAt: number;
  /** Whether it came after the faults, when nothing else happens and no index is behind. */
  readonly isCalm: boolean;
}

/** Operators who import users, offboard them and take that back, as the command line does. */
export class Personnel implements Actor {
  hasFaults = false;
  readonly takenBack: TakenBack[] = [];
  readonly #clients: Clients;
  readonly #swarm: Swarm;
  readonly #draw: Draw;
  readonly #newcomer: string;
  readonly #now: () => number;
  readonly #code: typeof offboarding;

  constructor(seed: number, { world, clients, swarm, code }: RunOfPart) {
    this.#clients = clients;
    this.#swarm = swarm;
    this.#draw = new Draw(seededRandom(~seed));
    this.#newcomer = String(swarm.users[0]).replace('u1', 'imported');
    this.#now = () => world.time;
    this.#code = code.clientCode.offboarding as typeof offboarding;
  }

  async prepare(): Promise<void> {}

  async operate(): Promise<void> {
    for (let action = this.#draw.between(2, 5); action > 0; action--) {
      await wait(this.#draw.random() * Math.max(this.#swarm.pauseMilliseconds, 100));
      if (this.#draw.chance(0.6)) await this.#clients.callOf('import-users', this.#drawImport());
      else await this.#offboard(this.#oneOf(this.#swarm.users));
    }
  }

  /** Offboards every user when the faults are over: nobody else changes anything then, so each must be exactly as it was. */
  async operateAlone(): Promise<void> {
    for (const userId of this.#swarm.users) await this.#offboard(userId, { isCalm: true });
  }

  async settle(): Promise<void> {}

  answer(): void {}

  #drawImport() {
    const draw = this.#draw;
    const users = [...this.#swarm.users, this.#newcomer].filter(() => draw.chance(0.6)).slice(0, 4);
    return {
      users: (users.length === 0 ? [this.#newcomer] : users).map((userId) => this.#drawUser(userId)),
      create: draw.chance(0.8),
      reactivate: draw.chance(0.3),
      unblock: draw.chance(0.3),
      reason: 'imported',
      ticket: null,
      dryRun: draw.chance(0.2),
      bulkId: this.#bulkId(),
    };
  }

  #drawUser(userId: string) {
    const draw = this.#draw;
    const { apps, roles } = this.#swarm;
    const accesses = apps.filter(() => draw.chance(0.5)).map((appId) => ({ appId, status: this.#accessStatus() }));
    const granted = apps.flatMap((appId) => roles.filter(() => draw.chance(0.4)).map((role) => ({ appId, role })));
    return {
      userId,
      ...(draw.chance(0.5) && { displayName: draw.oneOf('Ada King', 'Grace King') }),
      ...(draw.chance(0.4) && { status: draw.oneOf('active' as const, 'inactive' as const) }),
      accesses,
      roles: granted.map(({ appId, role }) => ({
        appId,
        role,
        expiresAt: null,
        status: draw.oneOf('assigned' as const, 'assigned' as const, 'revoked' as const),
      })),
    };
  }

  #accessStatus(): 'enabled' | 'disabled' {
    return this.#draw.oneOf('enabled', 'disabled');
  }

  /** Offboards a user and, mostly, takes that back. */
  async #offboard(userId: string, { isCalm = false } = {}): Promise<void> {
    const { call, calls } = this.#recorded();
    const { offboard, offboardingIn, reinstate } = this.#code;
    const startedAt = this.#now();
    const listed = await call('list-user-access', { userId, limit: 100 });
    const accesses = itemsOf(listed) as never;
    if (listed.outcome?.kind !== 'done') return;
    const bulkId = this.#bulkId();
    const request = { bulkId, userIds: [userId], reason: 'left' } as const;
    const receipt = await offboard(
      { userId, bulkId, accesses, keepsRoles: this.#draw.chance(0.2) },
      {
        deactivate: async () =>
          itemsOf(await call('set-user-status-in-bulk', { ...request, status: 'inactive' })) as never,
        revoke: async (role) =>
          itemsOf(await call('revoke-role-in-bulk', { bulkId, userIds: [userId], ...role })) as never,
      },
    );
    const offboardedAt = this.#now();
    if (this.#draw.chance(0.2)) return;
    await wait(this.#draw.random() * 2000);
    const history = await call('list-user-changes', { userId, limit: 100 });
    const past = offboardingIn(itemsOf(history) as unknown as readonly Change[], bulkId);
    if (past === undefined) return;
    await reinstate(past, {
      activate: () => call('set-user-status', { userId, status: 'active', reason: null }),
      giveBack: async (appId) => itemsOf(await call('undo-bulk', { appId, bulkId, limit: 100 })) as never,
    });
    this.takenBack.push({
      userId,
      receipt,
      calls,
      startedAt,
      offboardedAt,
      endedAt: this.#now(),
      isCalm,
    });
  }

  /** Makes calls, and remembers those that change something. */
  #recorded() {
    const calls: CallRecord[] = [];
    const call = async (operation: string, input: object) => {
      const made = await this.#clients.callOf(operation, input);
      if (!operation.startsWith('list-')) calls.push(made);
      return made;
    };
    return { call, calls };
  }

  #bulkId(): string {
    const random = Uint8Array.from({ length: 16 }, () => Math.floor(this.#draw.random() * 256));
    return createBulkId(Math.floor(this.#now()), random);
  }

  #oneOf([first = '', ...others]: readonly string[]): string {
    return this.#draw.oneOf(first, ...others);
  }
}

/** The operators of a seed who import and offboard; undefined if it has none. */
export function personnelOf(seed: number, run: RunOfPart): Personnel | undefined {
  return seed % personnelEvery === firstPersonnel ? new Personnel(seed, run) : undefined;
}

/** Nothing if the call was refused or had no answer. */
function itemsOf({ outcome }: CallRecord): readonly unknown[] {
  return outcome?.kind === 'done' ? (outcome.body.items as readonly unknown[]) : [];
}
