import type { Clients } from './clients.ts';
import { hasOperation } from './operations.ts';
import type { Swarm } from './swarm.ts';
import { wait } from './virtual-time.ts';
import { noUserId, type Workload } from './workload.ts';

const scopes = ['access:read'] as const;

/** Performs every operation with one client, without faults or concurrency. */
export class Tour {
  readonly #clients: Clients;
  readonly #swarm: Swarm;
  readonly #workload: Workload;
  /** The time by a client's clock. */
  readonly #now: () => number;

  constructor(clients: Clients, swarm: Swarm, workload: Workload, now: () => number) {
    this.#clients = clients;
    this.#swarm = swarm;
    this.#workload = workload;
    this.#now = now;
  }

  /** Performs each operation once, again, and when it is refused. */
  async run(): Promise<void> {
    const clients = this.#clients;
    const [suffix, appId = ''] = [this.#swarm.users[0]?.replace(/^u1/, ''), this.#swarm.apps[0]];
    const [userId, role] = [`tourist${suffix}`, `guide${suffix}`];
    const subject = { userId, appId };
    const grant = { role: role as never, expiresAt: null };
    const block = { status: 'disabled', reason: 'left', until: null } as const;
    for (const displayName of [null, 'Ada']) await clients.call('create-user', { userId, displayName, email: 'a@b' });
    for (const displayName of ['Ada', 'Ada', null]) await clients.call('update-user', { userId, displayName });
    for (const email of ['c@d', 'c@d', null]) await clients.call('update-user', { userId, email });
    for (const description of [null, null, 'one']) await clients.call('define-role', { appId, role, description });
    for (const name of ['one', 'one', appId]) await clients.call('update-application', { appId, name });
    await clients.call('create-application', { appId, name: appId });
    for (const key of [this.#workload.keys.get(appId), undefined]) {
      await clients.call('revoke-role', { ...subject, role }, key);
      for (let n = 0; n < 2; n++) await clients.call('assign-role', { ...subject, grant }, key);
      for (let n = 0; n < 2; n++) await clients.call('set-access', { ...subject, setting: block }, key);
      await clients.call('set-access', { ...subject, setting: { ...block, status: 'enabled' } }, key);
      await clients.call('revoke-role', { ...subject, role }, key);
    }
    await clients.call('assign-role', { ...subject, grant });
    await clients.call('set-access-in-bulk', { appId, userIds: [userId, 'nobody', noUserId], setting: block });
    await clients.call('set-access-in-bulk', { appId, userIds: [userId, 'nobody'], setting: block });
    for (const ifMatch of [[0], [1, 99]]) {
      await clients.call('set-access', { ...subject, setting: { ...block, reason: null }, ifMatch });
      await clients.call('update-user', { userId, displayName: 'Grace', ifMatch });
      await clients.call('update-application', { appId, name: 'two', ifMatch });
    }
    for (const status of ['inactive', 'inactive', 'active'] as const) {
      await clients.call('set-user-status', { userId, status, reason: 'asked' });
    }
    await clients.call('get-access', subject, this.#workload.keys.get(appId));
    await this.#review(appId);
    for (const force of [false, true]) await clients.call('delete-role', { appId, role, force });
    await clients.call('delete-application', { appId, force: false });
    await clients.call('assign-role', { ...subject, grant }, this.#workload.keys.get(appId));
    await clients.call('assign-role', { ...subject, grant, appId: `none${suffix}` });
    for (let n = 0; n < 2; n++) await clients.call('delete-user', { userId });
    await clients.call('set-access', { ...subject, setting: block });
    await clients.call('create-user', { userId, displayName: null, email: null });
    await this.#tourKeys(`keys${suffix}`);
    await this.#tourDeletions(`spare${suffix}`, userId, role);
  }

  /** Marks two lists as reviewed, if the option for reviews is there. */
  async #review(appId: string): Promise<void> {
    if (!hasOperation('review-application')) return;
    for (const minutes of [120, 60]) {
      const asOf = new Date(this.#now() - minutes * 60_000).toISOString();
      await this.#clients.callOf('review-application', { appId, asOf });
    }
  }

  /** Keys with and without an expiry, rotated, revoked, and one above the limit. */
  async #tourKeys(appId: string): Promise<void> {
    const clients = this.#clients;
    await clients.call('create-application', { appId, name: appId });
    const { keyId } = await this.#workload.issue(appId, scopes);
    const rotated = await clients.call('rotate-key', { appId, keyId, overlapSeconds: 3600 });
    const ending = await clients.call('issue-key', { appId, scopes, expiresAt: this.#after(600) });
    const endingId = idOf(ending.outcome);
    await wait(20_000);
    // One expires before the overlap ends, the other with it.
    await clients.call('rotate-key', { appId, keyId: endingId, overlapSeconds: 3600 });
    await clients.call('rotate-key', {
      appId,
      keyId: idOf(rotated.outcome),
      overlapSeconds: 0,
      expiresAt: this.#after(60),
    });
    await clients.call('rotate-key', { appId, keyId, overlapSeconds: 60, expiresAt: null });
    for (const each of [keyId, keyId, endingId, 'svk_k1_none'])
      await clients.call('revoke-key', { appId, keyId: each });
    await clients.call('rotate-key', { appId, keyId, overlapSeconds: 60 });
    await clients.call('rotate-key', { appId, keyId: idOf(rotated.outcome), overlapSeconds: 60 });
    for (let n = 0; n < 11; n++) await clients.call('issue-key', { appId, scopes, expiresAt: null });
    await clients.call('issue-key', { appId, scopes, expiresAt: this.#after(-60) });
    await clients.call('get-access', { userId: 'nobody', appId }, { appId, keyId, scopes });
  }

  /** Deletes unused resources without force and used ones with it; a repetition finds them deleted. */
  async #tourDeletions(appId: string, userId: string, role: string): Promise<void> {
    const clients = this.#clients;
    for (const [id, force] of [
      [appId, false],
      [`${appId}2`, true],
    ] as const) {
      await clients.call('create-application', { appId: id, name: id });
      const key = await this.#workload.issue(id, ['access:read', 'roles:write']);
      await clients.call('get-access', { userId, appId: id }, key);
      await clients.call('define-role', { appId: id, role, description: null });
      if (force) {
        for (const user of this.#swarm.users)
          await clients.call('create-user', { userId: user, displayName: null, email: null });
        for (const user of this.#swarm.users) {
          await clients.call('assign-role', {
            userId: user,
            appId: id,
            grant: { role: role as never, expiresAt: null },
          });
        }
      }
      for (let n = 0; n < 2; n++) await clients.call('delete-role', { appId: id, role, force });
      await clients.call('define-role', { appId: id, role, description: 'again' });
      if (force)
        await clients.call('assign-role', { userId, appId: id, grant: { role: role as never, expiresAt: null } }, key);
      for (let n = 0; n < 2; n++) await clients.call('delete-application', { appId: id, force });
      await clients.call('get-access', { userId, appId: id }, key);
      await clients.call('create-application', { appId: id, name: id });
    }
  }

  #after(seconds: number): string {
    return new Date(this.#now() + seconds * 1000).toISOString();
  }
}

function idOf(outcome: { readonly kind: string } | undefined): string {
  const { body } = (outcome ?? {}) as { readonly body?: { readonly keyId?: string } };
  if (body?.keyId === undefined) throw new Error(`No key was issued: ${JSON.stringify(outcome)}`);
  return body.keyId;
}
