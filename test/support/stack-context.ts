import { contextName, settingNames } from '../../lib/settings/given-settings.ts';

/**
 * The context in which the stack is synthesized: settings by their names, as `-c auth-service:<setting>=` gives them; `accounts`
 * and `settings`, as in `cdk.json`, or none; other names as they are, but objects may be texts.
 */
export function contextOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { accounts, settings, ...others } = given;
  return {
    [contextName]: { accounts: parsed(accounts), settings: parsed(settings) },
    ...Object.fromEntries(
      Object.entries(others).map(([name, value]) =>
        isSetting(name) ? [`${contextName}:${name}`, value] : [name, name.startsWith('@') ? parsed(value) : value],
      ),
    ),
  };
}

function isSetting(name: string): boolean {
  return (settingNames.includes(name) && !['stage', 'region'].includes(name)) || name === 'doors';
}

function parsed(value: unknown = {}): unknown {
  return typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
}
