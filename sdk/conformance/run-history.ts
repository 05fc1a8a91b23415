import { AuthServiceClient } from '../../client/index.ts';
import { type AccessReplica, createAccessReplica } from '../../client/replica.ts';
import { kitKey, startOfCases } from './failure-cases.ts';
import { filesInMemory } from './files-in-memory.ts';
import type {
  HistoryOptions,
  RecordedAnswer,
  RecordedExchange,
  RecordedReport,
  RecordedStep,
  ReplicaVector,
} from './replica-history.ts';
import { ScriptedService } from './scripted-service.ts';
import { runInVirtualTime } from './virtual-time.ts';

/** What a script does with the replica of a history. */
export interface History {
  readonly service: ScriptedService;
  /** Waits until this many seconds after the start. */
  until(seconds: number): Promise<void>;
  open(): Promise<void>;
  check(...userIds: readonly string[]): void;
  checkOrAsk(...userIds: readonly string[]): Promise<void>;
  resync(): void;
  close(): Promise<void>;
}

export interface HistoryCase {
  readonly name: string;
  readonly file?: boolean;
  readonly options?: HistoryOptions;
  readonly script: (history: History) => Promise<void>;
}

/** Lets a replica of the SDK live through a script, and records everything. */
export async function recordHistory({ name, file = false, options = {}, script }: HistoryCase): Promise<ReplicaVector> {
  const steps: RecordedStep[] = [];
  const exchanges: RecordedExchange[] = [];
  const reports: RecordedReport[] = [];
  const waits: number[] = [];
  const undo = filesInMemory();
  try {
    await runInVirtualTime({ start: startOfCases, random: 0.5 }, async ({ now, wait }) => {
      const service = new ScriptedService(now);
      const at = () => now() - startOfCases;
      let replica: AccessReplica | undefined;

      async function fetch(request: Request): Promise<Response> {
        const { pathname, search, searchParams: query } = new URL(request.url);
        const target = pathname.replace('/api/service/', '');
        const text = await request.text();
        const body = text === '' ? {} : JSON.parse(text);
        const answer = service.answer({ path: target, query, body });
        const sent = { at: at(), method: request.method, target: target + search };
        exchanges.push({ ...sent, ...(text !== '' && { body }), answer: structuredClone(answer) });
        return responseOf(answer, request);
      }

      function opened(): AccessReplica {
        if (replica === undefined) throw new Error(`${name}: no replica is open`);
        return replica;
      }

      await script({
        service,
        async until(seconds) {
          await wait(startOfCases + seconds * 1000 - now());
          waits.push(at());
        },
        async open() {
          const began = at();
          const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...kitKey, fetch });
          const opening = createAccessReplica({
            client,
            ...options,
            ...(file && { file: 'replica' }),
            onChange: ({ all, userIds }) => {
              reports.push({ at: at(), kind: 'change', all, ...(userIds && { userIds: userIds.toSorted() }) });
            },
            onError: ({ during, error, userIds }) => {
              const { code } = Object(error);
              reports.push({ at: at(), kind: 'error', during, ...(code && { code }), ...(userIds && { userIds }) });
            },
          });
          const fails = await opening.then(
            (created) => {
              replica = created;
            },
            (error) => `${error.code}`,
          );
          steps.push({ at: began, do: 'open', ...(fails && { fails }) });
        },
        check(...userIds) {
          for (const userId of userIds)
            steps.push({ at: at(), do: 'check', userId, outcome: { decision: opened().check(userId) } });
        },
        async checkOrAsk(...userIds) {
          for (const userId of userIds) {
            const asked = opened().checkOrAsk(userId);
            const outcome = await asked.then(
              (decision) => ({ decision }),
              (error) => ({ error: `${error.code}` }),
            );
            steps.push({ at: at(), do: 'checkOrAsk', userId, outcome });
          }
        },
        resync() {
          opened()
            .resync()
            .catch(() => {});
          steps.push({ at: at(), do: 'resync' });
        },
        async close() {
          steps.push({ at: at(), do: 'close' });
          await opened().close();
          replica = undefined;
        },
      });
      await replica?.close();
    });
  } finally {
    undo();
  }
  const polled = exchanges.filter(({ target }) => target.startsWith('changes')).map(({ at }) => at);
  const polling = steps.filter(({ do: what }) => what === 'open' || what === 'resync').map(({ at }) => at);
  const both = waits.filter((at) => polled.includes(at) && !polling.includes(at));
  // Other SDKs may do the next step or send the next request first.
  if (both.length > 0) throw new Error(`${name}: at ${both} ms there are a step and a poll`);
  return { name, file, options, steps, exchanges, reports };
}

function responseOf(answer: RecordedAnswer, request: Request): Response {
  const { fault, status = 200, headers, date, body, foreign } = answer;
  if (fault === 'no_answer') throw new TypeError('fetch failed');
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const response = new Response(JSON.stringify(body), { status, headers: { 'content-type': type, ...headers } });
  if (date !== undefined) response.headers.set('date', date);
  const [, nonce = ''] = /;nonce="([^"]+)"/.exec(request.headers.get('signature-input') ?? '') ?? [];
  if (!foreign) response.headers.set('request-nonce', nonce);
  return response;
}
