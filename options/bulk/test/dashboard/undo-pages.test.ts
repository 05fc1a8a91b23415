import { expect, test } from '@jest/globals';
import type { Writer } from '#dashboard/api/create-writer.ts';
import { ProblemError } from '#dashboard/api/problem-error.ts';
import type { UndoOutcome } from '../../contract/bulk-undo.ts';
import { previewUndo, undoPages } from '../../dashboard/undo-pages.ts';

const perPage = 100;
const unavailable = { code: 'unavailable', detail: 'Try again.' };
const down = new ProblemError({ status: 503, code: 'unavailable', title: 'No', detail: 'Try again.' });

interface Service {
  readonly undone: Set<number>;
  /** Throws, or has the request act and then lose its answer. */
  fault: (request: { readonly page: number; readonly dryRun: boolean }) => 'down' | 'lost' | 'partly' | undefined;
  readonly newWriter: () => Writer;
}

/** A bulk of as many users, undone as the service does it. */
function serviceWith(count: number): Service {
  const undone = new Set<number>();
  const service: Service = { undone, fault: () => undefined, newWriter: () => write as Writer };
  const write = async (_: string, input: unknown) => {
    const { query, body } = input as { query: { cursor?: string }; body: { dryRun: boolean } };
    const first = Number(query.cursor ?? 0);
    const fault = service.fault({ page: first / perPage, dryRun: body.dryRun });
    if (fault === 'down') throw down;
    const numbers = Array.from({ length: Math.min(perPage, count - first) }, (__, n) => first + n);
    const items = numbers.map((n): UndoOutcome => {
      const one = { userId: `user-${n}`, changeId: `change-${n}` };
      if (fault === 'partly' && n % 10 === 0) return { ...one, outcome: 'failed', problem: unavailable };
      const outcome = undone.has(n) ? 'unchanged' : 'changed';
      if (!body.dryRun) undone.add(n);
      return { ...one, outcome };
    });
    if (fault === 'lost') throw new TypeError('fetch failed');
    return { items, cursor: first + perPage < count ? String(first + perPage) : null };
  };
  return service;
}

const command = { bulkId: 'bulk', appIds: ['wiki'], why: { reason: null, ticket: null } };

/** Undoes the bulk; returns the outcomes by change. */
async function undo({ newWriter }: Service, stopAfter = Number.POSITIVE_INFINITY) {
  const pages = await previewUndo(newWriter, command);
  const controller = new AbortController();
  const known = new Map<string, UndoOutcome>();
  const onResults = (outcomes: readonly UndoOutcome[]) => {
    for (const outcome of outcomes) known.set(outcome.changeId, outcome);
    if (known.size >= stopAfter) controller.abort();
  };
  const answered = new Set<string>();
  await undoPages({ ...command, pages }, { bulkId: '', newWriter, answered, signal: controller.signal, onResults });
  return [...known.values()];
}

const countOf = (outcomes: readonly UndoOutcome[], kind: string) =>
  outcomes.filter(({ outcome }) => outcome === kind).length;

test('an undo whose third request has no answer goes on, and counts exactly what was undone', async () => {
  for (const fault of ['down', 'lost'] as const) {
    const service = serviceWith(450);
    let requests = 0;
    service.fault = ({ dryRun }) => (!dryRun && ++requests === 3 ? fault : undefined);
    const outcomes = await undo(service);
    expect([fault, countOf(outcomes, 'changed'), service.undone.size]).toEqual([fault, 450, 450]);
  }
});

test('what an attempt without an answer has undone counts as undone, once the service answers what is left', async () => {
  const service = serviceWith(250);
  service.fault = ({ page, dryRun }) => (page === 1 && !dryRun ? 'lost' : undefined);
  const outcomes = await undo(service);
  expect([countOf(outcomes, 'changed'), service.undone.size]).toEqual([250, 250]);
});

test('what the service did not undo, or does not say so, stays without an outcome', async () => {
  const service = serviceWith(250);
  service.fault = ({ page, dryRun }) => (page === 1 && !dryRun ? 'down' : undefined);
  const outcomes = await undo(service);
  const left = outcomes.filter(({ problem }) => problem?.code === 'unavailable');
  expect([countOf(outcomes, 'changed'), left.length, service.undone.size]).toEqual([150, 100, 150]);
  expect(left[0]?.problem?.detail).toMatch(/nothing had changed when it was asked again/);
});

test('what was undone stays so when its page is sent again for the others', async () => {
  const service = serviceWith(150);
  let requests = 0;
  service.fault = ({ dryRun }) => (!dryRun && ++requests === 1 ? 'partly' : undefined);
  const outcomes = await undo(service);
  expect([countOf(outcomes, 'changed'), service.undone.size]).toEqual([150, 150]);
});

test('an undo that is stopped sends no further page', async () => {
  const service = serviceWith(450);
  const outcomes = await undo(service, 150);
  expect([outcomes.length, service.undone.size]).toEqual([200, 200]);
});

test('an undo that is repeated leaves alone what is undone, and is undone for the rest', async () => {
  const service = serviceWith(250);
  await undo(service, 100);
  const outcomes = await undo(service);
  expect([countOf(outcomes, 'changed'), service.undone.size]).toEqual([150, 250]);
});
