import type { Changed } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import { withNote } from '../terminal/cli-error.ts';
import { confirm, requireTerminal } from '../terminal/confirm.ts';
import { countRollout, type RolloutChange, type RolloutCount } from './count-rollout.ts';

export interface RolloutOptions {
  readonly yes?: boolean;
}

/**
 * Sets the rollout percentage of an application, and says how many existing users it admits. Excluding users needs a
 * confirmation, for which they are counted first; otherwise they are counted after the change.
 */
export async function rollOut(context: CommandContext<RolloutOptions>, appId: string, to: number): Promise<void> {
  const { client, options } = context;
  const { rolloutPercent: from } = await client.call('get-application', { path: { appId } });
  const change = { appId, from, to };
  if (to < from) context.announce();
  const confirmed = to < from && options.yes !== true ? await confirmExclusion(context, change) : undefined;
  const application = await client.call('update-application', { path: { appId }, body: { rolloutPercent: to } });
  const count = confirmed ?? (await countOrExplain(context, change));
  context.show({ ...application, users: count }, ...rolloutLines(application, change, count));
}

async function confirmExclusion(context: CommandContext, change: RolloutChange): Promise<RolloutCount> {
  const { appId, from, to } = change;
  const action = `Lowering the rollout of ${appId} from ${from} % to ${to} %`;
  requireTerminal(context.terminal, action);
  const count = await countRollout(context, change);
  const excluded = count.admittedBefore - count.admitted;
  if (excluded === 0) return count;
  const question = `${action} excludes ${format(excluded)} of ${ofUsers(count)}. Type ${appId} to continue: `;
  await confirm(context.terminal, { id: appId, action, question, otherwise: 'Nothing was changed.' });
  return count;
}

async function countOrExplain(context: CommandContext, change: RolloutChange): Promise<RolloutCount> {
  return countRollout(context, change).catch((error: unknown) => {
    const done = `The rollout of ${change.appId} is now ${change.to} %. Count the users with: ${context.again()}`;
    throw withNote(error, done);
  });
}

function rolloutLines({ changed }: Changed<ApplicationView>, change: RolloutChange, count: RolloutCount): string[] {
  const { appId, from, to } = change;
  const difference = count.admitted - count.admittedBefore;
  const compared =
    difference === 0 ? '' : `, ${format(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than before`;
  return [
    changed
      ? `Changed the rollout of ${appId} from ${from} % to ${to} %.`
      : `No change: the rollout of ${appId} is ${to} %.`,
    `It admits ${format(count.admitted)} of ${ofUsers(count)}${compared}.`,
  ];
}

function ofUsers({ withoutStatus }: RolloutCount): string {
  return `${countOf(withoutStatus, 'active user')} without an explicit status`;
}

function format(number: number): string {
  return number.toLocaleString('en');
}
