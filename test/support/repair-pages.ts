import { describe } from '@jest/globals';
import { manageOperations } from '#shared/contract/operations.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';

/** A page of a repair of the table. */
export interface RepairPage {
  readonly checked: number;
  readonly findings: readonly RepairFinding[];
  readonly cursor: string | null;
}

/** Something that was wrong. */
export interface RepairFinding {
  readonly kind: string;
  readonly repaired: boolean;
  readonly userId?: string;
  readonly appId?: string;
  readonly connectionId?: string;
  readonly changeId?: string;
}

interface RepairQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly restartFeeds?: string | undefined;
}

/** For tests of what a repair does with what the core or another option keeps: without the option, nothing does. */
export const describeRepair = 'repair' in manageOperations ? describe : describe.skip;

/** Repairs a page of the table, as the operation of that name does. */
export async function repairPage(query: RepairQuery, context: OperatorContext): Promise<RepairPage> {
  // What it imports reads the environment, which some tests set first.
  const { repair } = (await import('#shared/http/management/manage-operations.ts')).manageRuns;
  if (repair === undefined) throw new Error('The project has no option that repairs the table');
  const request = { path: {}, query, body: undefined, ifMatch: undefined };
  return (await repair(request, { ...context, heldRoles: [], limitedTo: undefined })) as RepairPage;
}
