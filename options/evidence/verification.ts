import * as v from 'valibot';
import { countOf } from '#shared/contract/wording.ts';
import type { ExportContext, Selection } from '#shared/csv/change-archive.ts';
import type { ExportedChange } from '#shared/integrity/chain-breaks.ts';
import { type CheckedChains, summarizeChains } from '#shared/integrity/check-chains.ts';
import { breakView, firstOfEachKind, sentence } from './export-breaks.ts';

const filter = v.optional(v.string());
const selectionSchema = v.object({
  since: filter,
  until: filter,
  action: filter,
  actor: filter,
  appId: filter,
  userId: filter,
  bulkId: filter,
} satisfies Record<keyof Selection, typeof filter>);

/** Whether the filters leave out changes of the chains whose others they show, so that gaps do not count as breaks. */
export function leavesGaps({ action, actor, bulkId }: Selection): boolean {
  return [action, actor, bulkId].some((filter) => filter !== undefined && filter !== '');
}

const format = 'auth-service/history-verification/1';

export const verificationSchema = v.looseObject({
  format: v.literal(format),
  verifiedAt: v.string(),
  verifiedBy: v.string(),
  service: v.string(),
  selection: selectionSchema,
  isComplete: v.boolean(),
  isSound: v.boolean(),
  changes: v.number(),
});

/** What is recorded of a verification, beside what it found. */
export interface VerificationContext extends ExportContext {
  /** RFC 3339. */
  readonly verifiedAt: string;
}

export type Verification = ReturnType<typeof verificationOf>;

/** The result of a verification, for programs: what was verified, and what failed, by chain. */
export function verificationOf(
  context: VerificationContext,
  changes: readonly ExportedChange[],
  { findings, subjects, withoutBeginning }: CheckedChains,
) {
  const failures = findings.map((finding) => {
    const { count: _, ...found } = breakView({ ...finding, count: 1 });
    return { ...found, user: finding.change.userId ?? null };
  });
  return {
    format,
    ...context,
    isSound: findings.length === 0,
    changes: changes.length,
    histories: subjects,
    withoutBeginning,
    gapsChecked: !leavesGaps(context.selection),
    failures,
    chains: summarizeChains(changes, findings),
    sentences: firstOfEachKind(findings).map(sentence),
  };
}

/** The same in words. */
export function describeVerification(verification: Verification): string {
  const { isSound, changes, histories, withoutBeginning, gapsChecked, chains } = verification;
  const failed = chains.filter((chain) => chain.failed > 0);
  const lines = [
    'Verification of a history export',
    '',
    `Verified at: ${verification.verifiedAt}`,
    `Verified by: ${verification.verifiedBy}`,
    `Service: ${verification.service}`,
    `Selection: ${describeSelection(verification.selection)}`,
    ...(verification.limitedTo ? [`Limited to the applications: ${verification.limitedTo.join(', ') || 'none'}`] : []),
    ...(verification.isComplete ? [] : ['Older changes were left out.']),
    '',
    `Result: ${isSound ? 'every change is as the service wrote it' : 'FAILED'}.`,
    `Verified the MAC of ${countOf(changes, 'change')} in ${countOf(histories, 'history', 'histories')}.`,
    gapsChecked
      ? `Checked for gaps between the changes of each history. ${countOf(withoutBeginning, 'history starts', 'histories start')} before this export.`
      : 'The selection leaves out changes, so gaps between them were not checked.',
    ...(isSound ? [] : ['', 'Failed:', ...verification.sentences]),
    ...failed.map((chain) => `- ${chain.subject}: ${chain.failed} of ${countOf(chain.changes, 'change')} failed`),
    '',
    'Verify it again: auth-service history verify <this archive>',
    '',
  ];
  return lines.join('\n');
}

/** The filters of an export in words. */
export function describeSelection({ since, until, action, actor, appId, userId, bulkId }: Selection): string {
  const named = { from: since, until, actions: action, by: actor, application: appId, user: userId, bulk: bulkId };
  const given = Object.entries(named).filter(([, value]) => value !== undefined && value !== '');
  return given.map(([name, value]) => `${name} ${value}`).join('; ') || 'all history';
}
