import type { CallRecord } from './clients.ts';
import type { Answer } from './operations.ts';
import type { TraceLine } from './option-parts.ts';
import type { Run } from './run-seed.ts';
import type { Commit } from './simulated-dynamodb.ts';

/** Formats the events of a run, one per line, with virtual seconds since its start. */
export function traceOf({ calls, actors, commits, swarm }: Run): string[] {
  const ofActors = actors.flatMap((actor) => actor.lines?.() ?? []);
  const lines: TraceLine[] = [...calls.flatMap(linesOfCall), ...ofActors, ...commits.map(lineOfCommit)].sort(
    (one, other) => one.at - other.at,
  );
  const start = lines[0]?.at ?? 0;
  const events = lines.map(({ at, text }) => `${((at - start) / 1000).toFixed(3).padStart(10)}  ${text}`);
  const drawn = actors.flatMap((actor) => actor.drawn?.() ?? []);
  return swarm === undefined ? events : [`swarm ${JSON.stringify(swarm)}`, ...drawn, ...events];
}

function linesOfCall({
  id,
  operation,
  input,
  key,
  operator,
  startedAt,
  endedAt,
  attempts,
  replays,
  outcome,
}: CallRecord): TraceLine[] {
  if (operation.startsWith('list-') || operation === 'get-snapshot') return [];
  const by = key?.appId ?? operator?.identity.id;
  return [
    { at: startedAt, text: `${id} ${operation} by ${by} ${JSON.stringify(input)}` },
    ...[...attempts, ...replays].flatMap((request) => {
      const { requestId, sentAt, answeredAt, answer } = request;
      return [
        { at: sentAt, text: `  ${id} ${'copyOf' in request ? 'is replayed as' : 'sends'} ${requestId}` },
        ...(answer === undefined || answeredAt === undefined
          ? []
          : [{ at: answeredAt, text: `  ${requestId} is answered ${describe(answer)}` }]),
      ];
    }),
    ...(endedAt === undefined
      ? []
      : [{ at: endedAt, text: `${id} ends ${outcome ? describe(outcome) : 'without an answer'}` }]),
  ];
}

function describe(answer: Answer): string {
  return answer.kind === 'done' ? JSON.stringify(answer.body) : JSON.stringify(answer);
}

function lineOfCommit({ at, by, mutations }: Commit): TraceLine {
  const writes = mutations.map(({ pk, sk, before, after }) => {
    const what = after === undefined ? 'deletes' : before === undefined ? 'creates' : 'updates';
    const { action, requestId, before: from, after: to, version } = after ?? {};
    const change =
      action === undefined ? '' : ` ${action} of ${requestId} ${JSON.stringify(from)} -> ${JSON.stringify(to)}`;
    return `${what} ${pk} ${sk}${version === undefined ? '' : ` v${version}`}${change}`;
  });
  return { at, text: `    ${by}: ${writes.join('; ')}` };
}
