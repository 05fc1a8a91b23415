import { contextName } from '../../lib/settings/context-names.ts';

/**
 * The context in which the stack is synthesized: settings by their names, as `-c` gives them; `accounts` and `settings`, as in
 * `cdk.json`, or none. Objects may be texts.
 */
export function contextOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { accounts, settings, ...others } = given;
  return {
    [contextName]: { accounts: parsed(accounts), settings: parsed(settings) },
    ...Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, name.startsWith('@') ? parsed(value) : value]),
    ),
  };
}

function parsed(value: unknown = {}): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
}
