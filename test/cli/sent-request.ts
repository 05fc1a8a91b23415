import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runHere } from './run-here.ts';
import { makeStubFolder } from './stub-folder.ts';
import { type StubService, startStub } from './stub-service.ts';

/** A command with the request that it sends, the answer that it gets, and a part of what it then prints. */
export type SentRequest = readonly [
  command: string,
  route: string,
  rest: {
    readonly query?: string;
    readonly body?: unknown;
    /** The answers to the requests for names that follow, by route. */
    readonly names?: Readonly<Record<string, unknown>>;
  },
  answer: unknown,
  printed: string,
];

/** Tests that each command sends its signed request, and nothing else, and prints the outcome. */
export function testRequests(requests: readonly SentRequest[]): void {
  let stub: StubService;
  let place: ReturnType<typeof makeStubFolder>;
  beforeAll(async () => {
    stub = await startStub();
    place = makeStubFolder(stub.url);
  });
  beforeEach(() => stub.reset());
  afterAll(async () => {
    place.remove();
    await stub.close();
  });

  test.each(requests)('%s', async (command, route, { query = '', body, names = {} }, answer, printed) => {
    stub.on(route, { body: answer });
    for (const [of, found] of Object.entries(names)) stub.on(of, { body: found });
    const { code, stdout } = await runHere(command.split(' '), { cwd: place.folder });
    const idempotencyKey = route.startsWith('GET ') ? undefined : expect.stringMatching(/^"[0-9a-f-]{36}"$/);
    const [sent, ...others] = stub.requests;
    expect(sent).toEqual({ route, query, body, fault: undefined, date: expect.any(String), idempotencyKey });
    expect(others.map((other) => other.route)).toEqual(Object.keys(names));
    expect(stdout).toContain(printed);
    expect(code).toBe(0);
  });
}

/** The only page of a list with one item. */
export function page(item: unknown) {
  return { items: [item], cursor: null };
}
