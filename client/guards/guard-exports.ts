export type { AccessSource, GuardedAccess, LocalSource, RemoteSource, SourceAnswer } from './access-source.ts';
export type {
  Denial,
  DenialAnswer,
  GuardDecision,
  GuardOptions,
  Passage,
  UserIdResult,
} from './guard-decision.ts';
export { getAccess } from './guarded-access.ts';
