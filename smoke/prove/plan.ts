import type { ProofStep } from './proof-step.ts';

export interface Selection {
  /** Only these steps. Default: all. */
  readonly only: readonly string[];
  /** This step and those behind it. Default: from the first. */
  readonly from: string | undefined;
}

/** The selected steps, in their order; throws for a name that no step has. */
export function selectSteps(steps: readonly ProofStep[], { only, from }: Selection): readonly ProofStep[] {
  const names = steps.map(({ name }) => name);
  const unknown = [...only, ...(from === undefined ? [] : [from])].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no step ${unknown}. The steps are ${names.join(', ')}`);
  if (only.length > 0 && from !== undefined) throw new Error('Pass either --only or --from, not both');
  if (only.length > 0) return steps.filter(({ name }) => only.includes(name));
  return from === undefined ? steps : steps.slice(names.indexOf(from));
}

/** The plan as text: what each step would do, and for how long at most. */
export function planLines(steps: readonly ProofStep[], byHand: Readonly<Record<string, string>>): readonly string[] {
  const lines = steps.flatMap(({ name, title, proves, commands, expects, timeoutMinutes }) => [
    `${name}: ${title} (at most ${timeoutMinutes} min)`,
    ...commands.map((command) => `    ${command}`),
    `  expects ${expects}`,
    ...(proves.length > 0 ? [`  proves ${proves.join(', ')}`] : []),
    '',
  ]);
  const manual = Object.entries(byHand).map(([id, why]) => `  ${id}: ${why}`);
  return [...lines, 'By hand, as docs/operate/unproven.md says:', ...manual];
}

/** Why a run must not touch a stage; undefined if it may. */
export function refusalOf({
  keepsData,
  stackName,
  isDeployed,
  isOwn,
}: {
  readonly keepsData: boolean;
  readonly stackName: string;
  readonly isDeployed: boolean;
  /** Whether an earlier run has deployed it. */
  readonly isOwn: boolean;
}): string | undefined {
  const consent = 'If all of its data may be lost, add --accept-data-loss';
  if (keepsData) return `${stackName} keeps data: choose the stage dev or staging. ${consent}`;
  if (isDeployed && !isOwn) return `${stackName} exists, and was not deployed by npm run prove. ${consent}`;
  return undefined;
}
