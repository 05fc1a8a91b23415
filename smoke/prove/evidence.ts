import { writeWhole } from '#shared/files/whole-file.ts';
import type { Outcome, StepResult } from './run-steps.ts';

export interface EvidenceHead {
  readonly command: string;
  readonly stage: string;
  readonly account: string;
  readonly region: string;
  /** What stood in for AWS; null for AWS itself. */
  readonly endpoint: string | null;
  /** The commit, and whether the files were changed since; `null` outside a checkout, or without Git. */
  readonly version: { readonly commit: string; readonly isChanged: boolean } | null;
  readonly startedAt: string;
}

/** What is known of each assumption after a run. */
export interface Evidence extends EvidenceHead {
  readonly endedAt: string;
  readonly summary: Readonly<Partial<Record<Outcome, number>>>;
  readonly assumptions: Readonly<Record<string, string>>;
  readonly steps: readonly StepResult[];
}

/** Puts the results together. An assumption is `passed` only if each of its steps ran and passed. */
export function createEvidence(
  head: EvidenceHead,
  results: readonly StepResult[],
  byHand: Readonly<Record<string, string>>,
  endedAt: Date,
): Evidence {
  const outcomes = results.flatMap(({ proves, outcome }) => proves.map((id) => [id, outcome] as const));
  const manual = Object.entries(byHand).map(([id, why]) => [id, `by hand: ${why}`] as const);
  return {
    ...head,
    endedAt: endedAt.toISOString(),
    summary: summarize(results),
    assumptions: Object.fromEntries([...outcomes, ...manual]),
    steps: results,
  };
}

/** How many steps had each outcome. */
export function summarize(results: readonly StepResult[]): Readonly<Partial<Record<Outcome, number>>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Writes the evidence as JSON; a reader never sees half of it. */
export function writeEvidence(file: string, evidence: Evidence): void {
  writeWhole(file, `${withoutSecrets(JSON.stringify(evidence, null, 2))}\n`);
}

/**
 * Removes API secrets and AWS credentials from a text. No fact contains one; the message of an error could repeat what it
 * was given.
 */
export function withoutSecrets(text: string): string {
  const { AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: token = '' } = process.env;
  return [secret, token]
    .filter((value) => value.length > 15)
    .reduce((rest, value) => rest.replaceAll(value, '(removed)'), text)
    .replace(/svs_[\w-]+/g, '(removed)');
}
