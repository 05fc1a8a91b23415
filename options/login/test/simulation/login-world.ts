import type { Clients } from '#test/simulation/clients.ts';
import { drawKind } from '#test/simulation/draw.ts';
import type { Actor, RunOfPart } from '#test/simulation/option-parts.ts';
import type { OutsideRequest } from '#test/simulation/outside.ts';
import type { Processes } from '#test/simulation/processes.ts';
import { type World, wait } from '#test/simulation/virtual-time.ts';
import type { MemoryTable } from '../../../../local/memory/memory-table.ts';
import { userCreatedAttribute, userIdAttribute } from '../../cognito/pool-accounts.ts';
import type { PoolUser } from '../../local/stand-in-pool.ts';
import type { TokenAnswer } from './login-code.ts';
import { type LoginRequestKind, type LoginSwarm, loginRequestKinds } from './login-swarm.ts';
import { SimulatedPool } from './simulated-pool.ts';

/** Somebody who wanted tokens, at a login or at a refresh. */
export interface TokenRequest {
  readonly userId: string;
  readonly createdAt: string;
  readonly clientId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly isGiven: boolean;
}

const synchronizer = { name: 'sync-login', milliseconds: 120_000 };
const decider = { name: 'decide-login', milliseconds: 5_000 };
const minute = 60_000;
/** What waits for the address of another account is tried again after a quarter of an hour, one after the other. */
const maxLastSweeps = 60;

/** Operators who manage accounts and logins, people who log in, and the user pool that follows. */
export class Logins implements Actor {
  readonly needs = 'new pace';
  readonly swarm: LoginSwarm;
  readonly simulated: SimulatedPool;
  readonly tokens: TokenRequest[] = [];
  hasFaults = false;
  #isDone = false;
  readonly #world: World;
  readonly #clients: Clients;
  readonly #processes: Processes;
  readonly #apps: readonly string[];
  readonly #users: readonly string[];
  readonly #pauseMilliseconds: number;

  constructor({ world, clients, processes, swarm, suffix }: RunOfPart, logins: LoginSwarm) {
    this.#world = world;
    this.#clients = clients;
    this.#processes = processes;
    this.#apps = swarm.apps;
    this.#users = swarm.users;
    this.#pauseMilliseconds = Math.max(swarm.pauseMilliseconds, 1000);
    this.swarm = logins;
    this.simulated = new SimulatedPool(world, suffix);
  }

  readonly clients = [{ name: 'person', run: () => this.#logIn() }];

  async prepare(): Promise<void> {
    for (const appId of this.#apps) await this.#request('set-login', { appId, userId: '' });
    for (const userId of this.#users) {
      await this.#request('set-email', { appId: '', userId });
      await this.#request('invite', { appId: '', userId });
    }
  }

  /** Looks each minute for what is left, as EventBridge does. */
  async runSchedule(): Promise<void> {
    while (!this.#isDone) {
      await wait(minute);
      this.#sync({});
    }
  }

  async operate(): Promise<void> {
    for (let sent = 0; sent < this.swarm.requests; sent++) {
      await wait(this.#world.random() * this.#pauseMilliseconds);
      const kind = drawKind(this.#world.random, loginRequestKinds, this.swarm.weights);
      await this.#request(kind, { appId: this.#oneOf(this.#apps) ?? '', userId: this.#oneOf(this.#users) ?? '' });
    }
  }

  /** Waits until the table has nothing more to tell. */
  async settle(table: MemoryTable): Promise<void> {
    for (let sweeps = 0; sweeps < maxLastSweeps; sweeps++) {
      if (!table.items().some(({ pk }) => pk === 'LOGINS')) break;
      await wait(minute);
    }
    this.#isDone = true;
  }

  readonly answer = (request: OutsideRequest, answer: (status: number, body?: string) => void): void => {
    if (request.host.startsWith('lambda.')) this.#invokeSoon(JSON.parse(request.body) as object, answer);
    else this.#answerCall(request, answer);
  };

  #invokeSoon(changes: object, answer: (status: number) => void): void {
    if (this.hasFaults && this.#chance(this.swarm.lostInvocation)) return;
    answer(202);
    for (let n = this.#chance(this.swarm.repeatedInvocation) ? 2 : 1; n > 0; n--) {
      this.#world.schedule(this.#world.random() * 1000, () => this.#sync(changes));
    }
  }

  /** Whether it fails, the schedule finds out. */
  #sync(changes: object): void {
    this.#processes.invoke(synchronizer, changes, () => undefined);
  }

  #answerCall(request: OutsideRequest, answer: (status: number, body: string) => void): void {
    const { lostCall, lostAnswer, throttled, answerMilliseconds } = this.swarm;
    const takes = this.hasFaults ? this.#world.random() * answerMilliseconds : 0;
    const isSlowBefore = this.#chance(0.5);
    if (this.hasFaults && this.#chance(lostCall)) return;
    const refused = { status: 400, body: JSON.stringify({ __type: 'TooManyRequestsException', message: '' }) };
    const isThrottled = this.hasFaults && this.#chance(throttled);
    const isLost = this.hasFaults && this.#chance(lostAnswer);
    this.#world.schedule(isSlowBefore ? takes : 0, () => {
      const { status, body } = isThrottled ? refused : this.simulated.perform(request);
      if (!isLost) this.#world.schedule(isSlowBefore ? 0 : takes, () => answer(status, body));
    });
  }

  async #request(kind: LoginRequestKind, { appId, userId }: { appId: string; userId: string }): Promise<void> {
    const call = (operation: string, input: object) => this.#clients.callOf(operation, input);
    const set = (status: string) => call('set-user-status', { userId, status, reason: null });
    const setLogin = () => call('set-login', { appId, ...this.#drawLogin() });
    switch (kind) {
      case 'set-email':
        return void (await call('update-user', { userId, email: this.#drawEmail(userId) }));
      case 'recreate-account':
        await call('delete-account', { userId });
        return void (await call('invite-user', { userId }));
      case 'set-login':
        return void (await setLogin());
      case 'delete-login':
        return void (await call('delete-login', { appId }));
      case 'recreate-login':
        await call('delete-login', { appId });
        return void (await setLogin());
      case 'blink':
        await set('inactive');
        return void (await set('active'));
      case 'invite':
        return void (await call('invite-user', { userId }));
      case 'sign-out':
        return void (await call('sign-out-user', { userId }));
      default:
        await call('delete-account', { userId });
    }
  }

  /** Sometimes the address of somebody else. */
  #drawEmail(userId: string): string | null {
    const others = [userId, userId, userId, ...this.#users];
    return this.#chance(0.1) ? null : `${this.#oneOf(others)}@example.com`;
  }

  #drawLogin() {
    const host = this.#oneOf(['a', 'b']);
    const clientType = this.#chance(0.8) ? 'public' : 'confidential';
    return { clientType, redirectUris: [`https://${host}.example.com/`], logoutUris: [] };
  }

  /** People accept invitations, and come back for tokens. */
  async #logIn(): Promise<void> {
    for (let logins = 0; logins < this.swarm.logins; logins++) {
      await wait(this.#world.random() * this.#pauseMilliseconds);
      const { users, clients } = this.simulated.pool;
      const person = this.#oneOf([...users.values()]);
      const clientId = this.#oneOf([...clients.keys()]);
      if (person !== undefined && clientId !== undefined && person.Enabled) await this.#askForTokens(person, clientId);
    }
  }

  #askForTokens(person: PoolUser, clientId: string): Promise<void> {
    person.UserStatus = 'CONFIRMED';
    const { attributes: userAttributes } = person;
    const { [userIdAttribute]: userId = '', [userCreatedAttribute]: createdAt = '' } = userAttributes;
    const asked = { userName: person.Username, callerContext: { clientId }, request: { userAttributes } };
    const event = { version: '2', triggerSource: '', ...asked };
    const sentAt = this.#world.time;
    return new Promise((resolve) => {
      const answer = ({ isGiven }: TokenAnswer) => {
        this.tokens.push({ userId, createdAt, clientId, sentAt, answeredAt: this.#world.time, isGiven });
        resolve();
      };
      const late = (): TokenAnswer => ({ isGiven: false });
      this.#processes.receiveAt(decider, { event: { ...event, response: {} } }, { late, answer });
    });
  }

  #chance(chance: number): boolean {
    return this.#world.random() < chance;
  }

  #oneOf<T>(options: readonly T[]): T | undefined {
    return options[Math.floor(this.#world.random() * options.length)];
  }
}

/** Makes the processes of a run follow the stream for a user pool, or not. */
export function setPool(isSet: boolean): void {
  const names = { LOGIN_POOL_ID: 'simulated', SYNC_LOGIN_FUNCTION: synchronizer.name };
  if (isSet) Object.assign(process.env, names);
  else for (const name of Object.keys(names)) delete process.env[name];
}
