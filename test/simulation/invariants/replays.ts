import { type AttemptRecord, isTransient } from '../clients.ts';
import { isRead } from '../operations.ts';
import type { Run } from '../run-seed.ts';

/** Checks that a byte-identical replay of an answered attempt is refused while its signature is valid. */
export function checkReplays({ calls }: Run): string[] {
  return calls.flatMap(({ id, operation, replays }) =>
    replays.flatMap((replay) => {
      const { copyOf, requestId, sentAt } = replay;
      const wasAnswered = endsCall(copyOf) && copyOf.answeredAt !== undefined && copyOf.answeredAt <= sentAt;
      if (!wasAnswered || isRead(operation) || isRefused(replay)) return [];
      return [
        `${requestId} of ${id} ${operation} is answered ${JSON.stringify(replay.answer)}, as ${copyOf.requestId} was`,
      ];
    }),
  );
}

/** Excludes 401, which says nothing about the call, and 503, which leaves its outcome unknown. */
function endsCall({ answer }: AttemptRecord): boolean {
  return answer?.kind === 'done' || (answer?.kind === 'refused' && answer.status !== 401 && !isTransient(answer));
}

function isRefused({ answer }: AttemptRecord): boolean {
  if (answer?.kind !== 'refused') return answer?.kind !== 'done';
  return answer.code === 'nonce_replayed' || answer.status === 401 || isTransient(answer);
}
