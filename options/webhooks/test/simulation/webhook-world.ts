import type { CallRecord, Clients } from '#test/simulation/clients.ts';
import { drawKind } from '#test/simulation/draw.ts';
import type { Actor, RunOfPart } from '#test/simulation/option-parts.ts';
import type { OutsideRequest } from '#test/simulation/outside.ts';
import type { Processes } from '#test/simulation/processes.ts';
import { type World, wait } from '#test/simulation/virtual-time.ts';
import type { MemoryTable } from '../../../../local/memory/memory-table.ts';
import { type StoredWebhookState, webhookLaneOf, webhookStateOf } from './stored-webhooks.ts';
import { type WebhookRequestKind, type WebhookSwarm, webhookRequestKinds } from './webhook-swarm.ts';

/** What a receiver got. */
export interface Receipt {
  readonly eventId: string;
  readonly type: string;
  /** The user whom the event concerns. */
  readonly userId: string | undefined;
  readonly at: number;
  /** Whether the receiver answered with success, whether or not the answer arrived. */
  readonly isAccepted: boolean;
  readonly headers: OutsideRequest['headers'];
  readonly body: string;
}

/** A webhook of an application, with its receiver. */
export interface Hook {
  readonly appId: string;
  readonly webhookId: string;
  /** The events that it gets; `null` for all. */
  readonly events: readonly string[] | null;
  /** Those that it was told. */
  readonly secrets: string[];
  /** Whether an answer with a secret was lost. */
  lacksSecret: boolean;
  readonly receipts: Receipt[];
}

/** By its name, as the environment of others has it. */
const deliverer = { name: 'deliver-webhook', milliseconds: 300_000 };
const waker = { name: 'wake-webhooks', milliseconds: 60_000 };
const minute = 60_000;
const longestInterval = 6 * 60 * minute;
/** Lambda's retries of an invocation that fails, after one minute and after two. */
const maxRetries = 2;
/** More than the deliveries of a run take once nothing fails. */
const maxLastWakes = 50;

/** Webhooks whose receivers fail, the function that delivers to them, its invocations and its schedule. */
export class Webhooks implements Actor {
  readonly swarm: WebhookSwarm;
  hasFaults = false;
  #isDone = false;
  readonly #startedAt: number;
  readonly #hooks: Hook[] = [];
  readonly #world: World;
  readonly #clients: Clients;
  readonly #processes: Processes;
  readonly #apps: readonly string[];
  readonly #pauseMilliseconds: number;

  constructor({ world, clients, processes, swarm: { apps, pauseMilliseconds } }: RunOfPart, swarm: WebhookSwarm) {
    this.#world = world;
    this.#apps = apps;
    this.#pauseMilliseconds = pauseMilliseconds;
    this.#clients = clients;
    this.#processes = processes;
    this.swarm = swarm;
    this.#startedAt = world.time;
  }

  /** With what they got until the end of the run: what is checked months later is no part of it. */
  get hooks(): readonly Hook[] {
    return this.#hooks.map((hook) => ({ ...hook, receipts: [...hook.receipts] }));
  }

  async prepare(): Promise<void> {
    for (const appId of this.#apps) await this.#create(appId);
  }

  /** Wakes all webhooks each minute, and less often while nothing is accepted. */
  async runSchedule(): Promise<void> {
    for (let interval = minute; !this.#isDone; ) {
      const accepted = this.#accepted();
      await wait(this.#world.random() * interval);
      this.#wake();
      interval = this.#accepted() > accepted ? minute : Math.min(longestInterval, interval * 2);
    }
  }

  /** What operators do with the webhooks, one after the other. */
  async operate(): Promise<void> {
    for (let sent = 0; sent < this.swarm.requests; sent++) {
      await wait(this.#world.random() * Math.max(this.#pauseMilliseconds, 1000));
      const kind = drawKind(this.#world.random, webhookRequestKinds, this.swarm.weights);
      const hook = this.#oneOf(this.#hooks);
      if (hook !== undefined) await this.#request(kind, hook);
      if (kind === 'delete') await this.#create(this.#oneOf(this.#apps) ?? '');
    }
  }

  /** Turns every webhook on, so that whatever waits is due, and wakes them until nothing waits. */
  async settle(table: MemoryTable): Promise<void> {
    const states = () => table.items().flatMap((item) => webhookStateOf(item) ?? []);
    const waits = ({ deliveryId }: StoredWebhookState) =>
      table.items().some((item) => webhookLaneOf(item)?.deliveryId === deliveryId);
    for (const { appId, webhookId } of states()) {
      const name = { appId, webhookId };
      for (const enabled of [false, true]) await this.#clients.callOf('update-webhook', { ...name, enabled });
    }
    for (let wakes = 0; wakes < maxLastWakes; wakes++) {
      const accepted = this.#accepted();
      this.#wake();
      await wait(minute);
      const isIdle = states().every((state) => !waits(state) && state.leaseToken === undefined);
      if (isIdle && this.#accepted() === accepted) break;
    }
    this.#isDone = true;
  }

  /** Answers what a process sends to the outside: an invocation, or a delivery. */
  readonly answer = ({ host, path, headers, body }: OutsideRequest, answer: (status: number) => void): void => {
    if (host.startsWith('lambda.')) this.#invokeSoon(path.includes(waker.name), JSON.parse(body) as object, answer);
    else this.#receive(path.slice(1).replace(/\?.*/, ''), headers, body, answer);
  };

  /** Nobody learns how it ends. */
  #wake(): void {
    this.#processes.invoke(waker, {}, () => undefined);
  }

  #invokeSoon(isWaker: boolean, payload: object, answer: (status: number) => void): void {
    const isLost = this.hasFaults && this.#chance(this.swarm.lostInvocation);
    if (isLost) return;
    answer(202);
    const times = this.#chance(this.swarm.repeatedInvocation) ? 2 : 1;
    for (let n = 0; n < times; n++) {
      this.#world.schedule(this.#world.random() * 1000, () => (isWaker ? this.#wake() : this.#invoke(payload)));
    }
  }

  #invoke(name: object, retries = 0): void {
    this.#processes.invoke(deliverer, name, (error) => {
      if (error === undefined || retries === maxRetries) return;
      this.#world.schedule((retries + 1) * minute, () => this.#invoke(name, retries + 1));
    });
  }

  #receive(
    webhookId: string,
    headers: OutsideRequest['headers'],
    body: string,
    answer: (status: number) => void,
  ): void {
    const hook = this.#hooks.find((one) => one.webhookId === webhookId);
    if (hook === undefined) throw new Error(`There is no receiver ${webhookId}`);
    const { refused, lostAnswer, isDown, answerMilliseconds } = this.swarm;
    const { type, data } = JSON.parse(body) as { type: string; data: { userId?: string } };
    const isRefused = isDown || this.#isRefused(data.userId) || this.#chance(refused);
    const isAccepted = !this.hasFaults || !isRefused;
    const eventId = String(headers['webhook-id']);
    if (!this.#isDone)
      hook.receipts.push({ eventId, type, userId: data.userId, at: this.#world.time, isAccepted, headers, body });
    if (this.hasFaults && this.#chance(lostAnswer)) return;
    const milliseconds = this.hasFaults ? this.#world.random() * answerMilliseconds : 0;
    this.#world.schedule(milliseconds, () => answer(isAccepted ? 204 : 500));
  }

  async #request(kind: WebhookRequestKind, hook: Hook): Promise<void> {
    const { appId, webhookId } = hook;
    const name = { appId, webhookId };
    const clients = this.#clients;
    switch (kind) {
      case 'correct-url':
        await clients.callOf('update-webhook', { ...name, url: `${urlOf(webhookId)}?at=${this.#world.time}` });
        return;
      case 'turn-on':
      case 'turn-off':
        await clients.callOf('update-webhook', { ...name, enabled: kind === 'turn-on' });
        return;
      case 'rotate':
        this.#learnSecret(hook, await clients.callOf('rotate-webhook-secret', { ...name, overlapSeconds: 0 }));
        return;
      case 'test':
        await clients.callOf('test-webhook', name);
        return;
      case 'send-again': {
        // One that was never accepted would come out of order, as asked.
        const accepted = hook.receipts.filter(({ isAccepted, type }) => isAccepted && type !== 'webhook.test');
        const changeId = this.#oneOf(accepted)?.eventId;
        if (changeId !== undefined) await clients.callOf('resend-webhook', { ...name, changeId });
        return;
      }
      case 'send-since': {
        // A time after a change that was not delivered would skip it.
        const since = new Date(this.#startedAt - 60 * minute).toISOString();
        await clients.callOf('resend-webhook', { ...name, since });
        return;
      }
      default:
        await clients.callOf('delete-webhook', name);
    }
  }

  async #create(appId: string): Promise<void> {
    const webhookId = `hook${this.#hooks.length + 1}`;
    const { events } = this.swarm;
    const hook: Hook = { appId, webhookId, events, secrets: [], lacksSecret: false, receipts: [] };
    this.#hooks.push(hook);
    const call = await this.#clients.callOf('create-webhook', { appId, webhookId, url: urlOf(webhookId), events });
    this.#learnSecret(hook, call);
  }

  /** Of a call that was answered for sure, its secret signs. */
  #learnSecret(hook: Hook, { outcome }: CallRecord): void {
    if (outcome?.kind === 'done') hook.secrets.push(String(outcome.body.secret));
    else if (outcome?.kind !== 'refused' || outcome.status === 503) hook.lacksSecret = true;
  }

  #accepted(): number {
    return this.#hooks.reduce((sum, { receipts }) => sum + receipts.filter(({ isAccepted }) => isAccepted).length, 0);
  }

  /** Of some users a receiver accepts nothing, whatever it accepts of others. */
  #isRefused(userId: string | undefined): boolean {
    const { refusedUsers } = this.swarm;
    if (userId === undefined || refusedUsers === 0) return false;
    return [...userId].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % refusedUsers === 0;
  }

  #chance(chance: number): boolean {
    return this.#world.random() < chance;
  }

  #oneOf<T>(options: readonly T[]): T | undefined {
    return options[Math.floor(this.#world.random() * options.length)];
  }
}

function urlOf(webhookId: string): string {
  return `https://hooks.example.com/${webhookId}`;
}

/** Makes the processes of a run invoke the function that delivers, or none. */
export function setDeliverer(isSet: boolean): void {
  process.env.WEBHOOK_FORMATS = 'standard';
  const functions = { DELIVER_WEBHOOK_FUNCTION: deliverer.name, WAKE_WEBHOOKS_FUNCTION: waker.name };
  if (isSet) Object.assign(process.env, functions);
  else for (const name of Object.keys(functions)) delete process.env[name];
}
