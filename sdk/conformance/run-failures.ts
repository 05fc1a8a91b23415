import { AuthServiceClient, AuthServiceError } from '../../client/index.ts';
import type {
  CaseCall,
  Exchange,
  ExpectedOutcome,
  ExpectedRequest,
  FailureCase,
  FailureVector,
} from './failure-case.ts';
import { kitKey, startOfCases } from './failure-cases.ts';
import { runInVirtualTime, type VirtualTime } from './virtual-time.ts';

/** Runs a case with the SDK; returns it with what happened. Throws if that is not what the case says. */
export async function runFailureCase(given: FailureCase): Promise<FailureVector> {
  const { says, sends, ...vector } = given;
  const expected = await runInVirtualTime({ start: startOfCases, random: 0 }, (time) => runSteps(given, time));
  const said = expected.outcomes.map(wordOf);
  if (`${said}` !== `${says}` || expected.requests.length !== sends)
    throw new Error(`${given.name}: the SDK says ${said} after ${expected.requests.length} requests`);
  return { ...vector, expected };
}

async function runSteps({ client: options, steps, exchanges }: FailureCase, { now, wait }: VirtualTime) {
  const requests: ExpectedRequest[] = [];
  const outcomes: ExpectedOutcome[] = [];
  const nonces: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { call, nonce, ...expected } = await describeRequest(request, nonces);
    requests.push({ call, ...expected, sentAt: now() - startOfCases } as ExpectedRequest);
    const exchange = exchanges[Math.min(requests.length, exchanges.length) - 1] as Exchange;
    await wait((exchange.seconds ?? 0) * 1000);
    return answerOf(exchange, nonce);
  };
  const client = new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...kitKey, ...options, fetch });
  for (const step of steps) {
    if ('wait' in step) await wait(step.wait * 1000);
    else outcomes.push(await outcomeOf(runCall(client, step)));
  }
  return { outcomes, requests };
}

/** Calls are numbered in the order in which their nonces are first seen. */
async function describeRequest(request: Request, nonces: string[]) {
  const { pathname, search } = new URL(request.url);
  const pattern = /;created=(\d+);nonce="([^"]+)";keyid="[^"]+";expires=(\d+)$/;
  const [, created, nonce = '', expires] = pattern.exec(request.headers.get('signature-input') ?? '') ?? [];
  if (!nonces.includes(nonce)) nonces.push(nonce);
  const ifMatch = request.headers.get('if-match');
  const body = await request.text();
  return {
    call: nonces.indexOf(nonce) + 1,
    nonce,
    method: request.method,
    target: pathname + search,
    ...(ifMatch !== null && { ifMatch }),
    ...(body !== '' && { body: JSON.parse(body) }),
    created: Number(created),
    expires: Number(expires),
  };
}

async function answerOf({ fault, status = 200, headers, body = '', nonce }: Exchange, own: string): Promise<Response> {
  if (fault === 'no_answer') throw new TypeError('fetch failed');
  if (fault === 'hang') return new Promise(() => {});
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const answer = new Response(status === 204 ? null : fault === 'cut' ? cutStream(text) : text, {
    status,
    headers: { 'content-type': type, ...headers },
  });
  if (nonce !== null) answer.headers.set('request-nonce', nonce ?? own);
  return answer;
}

function cutStream(text: string): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.error(new TypeError('terminated'));
    },
  });
}

async function runCall(client: AuthServiceClient, call: CaseCall): Promise<unknown> {
  const { userId = '', body, role = '', ifVersion } = call;
  switch (call.operation) {
    case 'getAccess':
      return client.getAccess(userId);
    case 'isAllowed':
      return client.isAllowed(userId);
    case 'checkAccess':
      return client.checkAccess(call.userIds ?? []);
    case 'setAccess':
      return client.setAccess(userId, { status: 'enabled', ...body }, { ifVersion });
    case 'assignRole':
      return client.assignRole(userId, body ? { role, ...body } : role, { ifVersion });
    case 'revokeRole':
      return client.revokeRole(userId, body ? { role, ...body } : role, { ifVersion });
    case 'changes': {
      const pages = [];
      for await (const page of client.changes({ after: call.after })) pages.push(page);
      return pages;
    }
  }
}

async function outcomeOf(call: Promise<unknown>): Promise<ExpectedOutcome> {
  try {
    return { answer: await call };
  } catch (error) {
    if (!(error instanceof AuthServiceError)) throw error;
    const { name, code, attempts, status, retryAfterSeconds } = error;
    return { error: { class: name, code, attempts, status, retryAfterSeconds } };
  }
}

/** The outcome in a word, as a case says it. */
function wordOf(outcome: ExpectedOutcome): string {
  if ('error' in outcome) return outcome.error.code;
  const { answer } = outcome;
  if (!Array.isArray(answer)) return `${Object(answer).effectiveStatus ?? answer}`;
  const words = answer.flatMap(({ items, ...item }) =>
    items ? items.map(({ id }: { id: string }) => id) : (item.effectiveStatus ?? item.code),
  );
  return words.join(' ');
}
