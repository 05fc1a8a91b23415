import { type Command, Option } from 'commander';
import {
  defaultKeyScopes,
  type KeyStateName,
  type KeyView,
  keyStates,
  type ListedKeyView,
} from '#shared/contract/api-key.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { type KeyWords, takeKey } from '../keys/issued-key.ts';
import type { SecretOptions } from '../keys/take-secret.ts';
import type { CommandContext, ContextProvider } from '../service/command-context.ts';
import { addListOptions, filled, type ListOptions, showPages } from '../service/show-pages.ts';
import {
  appArgument,
  defaultKeyLifetime,
  durationOption,
  examples,
  expiresOption,
  keyArgument,
  keyExpiryOption,
  keyFileOption,
  never,
  optionalAppArgument,
  overlapOption,
  quietOption,
  scopeOption,
} from '../terminal/arguments.ts';
import { notSent } from '../terminal/cli-error.ts';
import { formatExpiry } from '../terminal/format-time.ts';
import { parseDuration, parseExpiry } from '../terminal/parse-time.ts';
import type { Column } from '../terminal/print-table.ts';
import { keyColumns, keyLabelOption, labelArgument, labelOutcome } from './key-columns.ts';
import { addRotateAll } from './rotate-all-command.ts';

const [keyColumn, ...otherColumns] = keyColumns;
const allColumns: readonly Column<ListedKeyView>[] = [
  ...(keyColumn ? [keyColumn] : []),
  { title: 'APPLICATION', cell: ({ appId }) => appId },
  ...otherColumns,
];

/** Adds `keys`: the API keys of applications. */
export function addKeys(program: Command, { withContext }: ContextProvider): void {
  const keys = program.command('keys').description('issue, list, label, rotate and revoke API keys');

  keys
    .command('issue')
    .description('issue an API key, which can read for 90 days by default; its secret is shown only once')
    .addArgument(appArgument())
    .addOption(keyLabelOption())
    .addOption(scopeOption())
    .addOption(keyExpiryOption())
    .addOption(quietOption())
    .addOption(keyFileOption())
    .addHelpText(
      'after',
      examples(
        'keys issue billing --label "Production backend"',
        'keys issue billing --scope access:read --scope access:write --expires 365d',
        'keys issue billing --out billing.json',
      ),
    )
    .action(
      withContext(async (context: CommandContext<IssueOptions>, appId: string) => {
        const { label, scope = defaultKeyScopes, expires = parseExpiry(defaultKeyLifetime) } = context.options;
        const body = { ...(label && { label }), scopes: scope, expiresAt: expires === never ? null : expires };
        await takeKey(context, keyOf(appId), () => context.client.call('issue-key', { path: { appId }, body }));
      }),
    );

  addListOptions(keys.command('list').addArgument(optionalAppArgument()))
    .description('list the keys of one application or of all, without their secrets')
    .addOption(new Option('--state <state>', 'only keys in this state, of all applications').choices(keyStates))
    .addOption(
      durationOption('--ends-within <duration>', 'only active keys of all applications that expire within this time'),
    )
    .addOption(
      durationOption('--unused-for <duration>', 'only keys of all applications that have not been used for this time'),
    )
    .addHelpText(
      'after',
      examples('keys list billing', 'keys list --ends-within 30d', 'keys list --state active --unused-for 30d --all'),
    )
    .action(
      withContext(async (context: CommandContext<KeyListOptions>, appId: string | undefined) => {
        const { client, options } = context;
        const { state, endsWithin: endsIn, unusedFor } = options;
        if (appId === undefined) {
          const filter = { state, endsWithin: endsIn, unusedFor };
          const fetchPage = filled(context, (query) =>
            client.call('list-all-keys', { query: { ...filter, ...query } }),
          );
          return showPages(context, fetchPage, allColumns);
        }
        if (state ?? endsIn ?? unusedFor)
          throw notSent('--state, --ends-within and --unused-for cannot be combined with an application.');
        return showPages(context, (query) => client.call('list-keys', { path: { appId }, query }), keyColumns);
      }),
    );

  keys
    .command('label')
    .description('set the label of a key, which says what it is for; an empty label removes it')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addArgument(labelArgument())
    .addHelpText('after', examples('keys label billing svk_k1_billing_01JD… "Production backend"'))
    .action(
      withContext(async ({ client, show }, appId: string, keyId: string, label: string) => {
        const key = await client.call('update-key', { path: { appId, keyId }, body: { label: label || null } });
        show(key, labelOutcome(key));
      }),
    );

  keys
    .command('rotate')
    .description('issue a new key with the same scopes, label and lifetime; the old key expires after the overlap')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addOption(overlapOption())
    .addOption(expiresOption())
    .addOption(quietOption())
    .addOption(keyFileOption())
    .addHelpText(
      'after',
      examples(
        'keys rotate billing svk_k1_billing_01JD… --overlap 24h',
        'keys rotate billing svk_k1_billing_01JD… --overlap 0s --expires 90d',
      ),
    )
    .action(
      withContext(async (context: CommandContext<RotateOptions>, appId: string, keyId: string) => {
        const { overlap, expires } = context.options;
        const body = { overlap, ...(expires && { expiresAt: expires }) };
        const rotate = () => context.client.call('rotate-key', { path: { appId, keyId }, body });
        const key = await takeKey(context, keyOf(appId), rotate);
        context.terminal.note(
          `The old key expires at ${formatExpiry(overlapEnd(key, overlap))}, or at its own expiry if that is earlier.`,
        );
      }),
    );

  addRotateAll(keys, { withContext });

  keys
    .command('revoke')
    .description('revoke a key immediately and permanently')
    .addArgument(appArgument())
    .addArgument(keyArgument())
    .addHelpText('after', examples('keys revoke billing svk_k1_billing_01JD…'))
    .action(
      withContext(async ({ client, announce, show }, appId: string, keyId: string) => {
        announce();
        const key = await client.call('revoke-key', { path: { appId, keyId } });
        show(key, key.changed ? `Revoked the key ${keyId}.` : `The key ${keyId} was already revoked.`);
      }),
    );
}

/** What is shown and said of an API key. */
function keyOf(appId: string): KeyWords {
  return { member: 'secret', revoke: ['keys', 'revoke', appId] };
}

interface KeyListOptions extends ListOptions {
  readonly state?: KeyStateName;
  readonly endsWithin?: string;
  readonly unusedFor?: string;
}
interface IssueOptions extends SecretOptions {
  readonly label?: string;
  readonly scope?: readonly Scope[];
  readonly expires?: string;
}
interface RotateOptions extends SecretOptions {
  readonly expires?: string;
  readonly overlap: string;
}

function overlapEnd({ createdAt }: Pick<KeyView, 'createdAt'>, overlap: string): string {
  return new Date(Date.parse(createdAt) + (parseDuration(overlap) ?? 0) * 1000).toISOString();
}
