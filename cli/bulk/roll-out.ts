import type { Recorded } from '#shared/contract/answers.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { countOf } from '#shared/contract/wording.ts';
import type { CommandContext } from '../service/command-context.ts';
import { type ReasonOptions, reasonBody } from '../terminal/arguments.ts';
import { withNote } from '../terminal/cli-error.ts';
import { confirm, requireTerminal } from '../terminal/confirm.ts';
import { countRollout, type RolloutChange, type RolloutCount } from './count-rollout.ts';

export interface RolloutOptions extends ReasonOptions {
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
  const input = { path: { appId }, body: { rolloutPercent: to, ...reasonBody(options) } };
  const isAsked = to < from && options.yes !== true;
  if (isAsked) {
    requireTerminal(context.terminal, actionOf(change));
    // Whatever refuses the change, such as a missing reason, is known before all users are counted.
    await client.call('update-application', { ...input, query: { dryRun: true } });
  }
  const confirmed = isAsked ? await confirmExclusion(context, change) : undefined;
  const application = await client.call('update-application', input);
  const count = confirmed ?? (await countOrExplain(context, change));
  context.show({ ...application, users: count }, ...rolloutLines(application, change, count));
  const { changeId } = application;
  if (changeId !== null) context.terminal.note(`Undo with: ${context.commandLine('apps', 'undo', appId, changeId)}`);
}

async function confirmExclusion(context: CommandContext, change: RolloutChange): Promise<RolloutCount> {
  const { appId } = change;
  const action = actionOf(change);
  const count = await countRollout(context, change);
  const excluded = count.admittedBefore - count.admitted;
  if (excluded === 0) return count;
  const question = `${action} excludes ${format(excluded)} of ${ofUsers(count)}. Type ${appId} to continue: `;
  await confirm(context.terminal, { id: appId, action, question, otherwise: 'Nothing was changed.' });
  return count;
}

function actionOf({ appId, from, to }: RolloutChange): string {
  return `Lowering the rollout of ${appId} from ${from} % to ${to} %`;
}

async function countOrExplain(context: CommandContext, change: RolloutChange): Promise<RolloutCount> {
  return countRollout(context, change).catch((error: unknown) => {
    const done = `The rollout of ${change.appId} is now ${change.to} %. Count the users with: ${context.again()}`;
    throw withNote(error, done);
  });
}

function rolloutLines({ changeId }: Recorded<ApplicationView>, change: RolloutChange, count: RolloutCount): string[] {
  const { appId, from, to } = change;
  const difference = count.admitted - count.admittedBefore;
  const compared =
    difference === 0 ? '' : `, ${format(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than before`;
  return [
    changeId === null
      ? `No change: the rollout of ${appId} is ${to} %.`
      : `Changed the rollout of ${appId} from ${from} % to ${to} %.`,
    `It admits ${format(count.admitted)} of ${ofUsers(count)}${compared}.`,
  ];
}

function ofUsers({ withoutStatus }: RolloutCount): string {
  return `${countOf(withoutStatus, 'active user')} without an explicit status`;
}

function format(number: number): string {
  return number.toLocaleString('en');
}
