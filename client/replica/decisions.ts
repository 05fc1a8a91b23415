import type { AuthServiceClient, CallOptions } from '../client-interface.ts';
import type { AccessReplica, AccessReplicaOptions } from './access-replica.ts';
import type { AskedUsers } from './asked-users.ts';
import { decideLocally, isUserId, noDecision, type ReplicaDecision, type ReplicaState } from './decide-locally.ts';
import type { Knowledge } from './knowledge.ts';
import type { PollHealth } from './poll-health.ts';
import type { Repair } from './repair.ts';
import { defaultStalenessSeconds } from './replica-options.ts';
import type { ServiceClock } from './service-clock.ts';

/** What decides, and what an answer of the service changes. */
export interface DecisionParts {
  readonly clock: ServiceClock;
  readonly knowledge: Knowledge;
  readonly asked: AskedUsers;
  readonly health: PollHealth;
  readonly repair: Repair;
}

/** Decides by the known data as far as its age and the options allow; what that leaves open, `checkOrAsk` asks the service. */
export function createDecisions(
  { clock, knowledge, asked, health, repair }: DecisionParts,
  {
    client,
    whenStale = 'ask',
    unknown = 'default',
    maxStalenessSeconds = defaultStalenessSeconds,
  }: AccessReplicaOptions,
): Pick<AccessReplica, 'check' | 'checkOrAsk'> {
  function check(userId: string): ReplicaDecision {
    const now = clock.now();
    const [, ageSeconds] = now;
    const isStale = ageSeconds > maxStalenessSeconds;
    if (isStale && health.isRefused) return noDecision(userId, 'key_refused', ageSeconds);
    if (isStale && whenStale !== 'goOn') return noDecision(userId, 'stale', ageSeconds);
    const state = knowledge.state as ReplicaState;
    const exists = unknown === 'default' || !isUserId(userId) || state.users.has(userId) || asked.exists(userId);
    if (exists) return decideLocally(state, userId, now);
    return noDecision(userId, exists === false ? 'user_not_found' : 'unknown', ageSeconds);
  }

  async function askAboutUnknown(userId: string, options?: CallOptions): Promise<ReplicaDecision> {
    const decision = await ask(client, userId, options);
    const { decidedBy, roles, code } = decision;
    if (code) asked.remember(userId, false);
    else if ((decidedBy === 'default' || decidedBy === 'rollout') && !roles[0]) asked.remember(userId, true);
    // Unless a change arrives that explains it, an entry of this user has been lost.
    else repair.doubt(userId);
    return decision;
  }

  return {
    check,
    async checkOrAsk(userId, options) {
      const decision = check(userId);
      const { code } = decision;
      if (code === 'unknown') return unknown === 'ask' ? askAboutUnknown(userId, options) : decision;
      return whenStale === 'ask' && code && code !== 'user_not_found' ? ask(client, userId, options) : decision;
    },
  };
}

/** Asks the service, which rejects an id that cannot be one: that is decided here. */
async function ask(client: AuthServiceClient, userId: string, options?: CallOptions): Promise<ReplicaDecision> {
  try {
    if (isUserId(userId)) {
      const { effectiveStatus, decidedBy, roles } = await client.getAccess(userId, options);
      return { userId, effectiveStatus, decidedBy, roles, code: null, ageSeconds: 0 };
    }
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'user_not_found') throw error;
  }
  return noDecision(userId, 'user_not_found', 0);
}
