import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { deploymentContext, prefix } from './context-names.ts';

/** The files from which the CDK's command line fills the context, besides `cdk.json`: of the user, and of its lookups. */
const contextFiles = [join(homedir(), '.cdk.json'), join(import.meta.dirname, '../../cdk.context.json')];

/**
 * What `-c` may have given: `-c auth-service:<name>=` always, `-c <name>=` unless a file has that name, which then belongs to
 * somebody else. The CDK passes the context of all files and of the command line as one.
 */
export function readCommandLine(
  context: Readonly<Record<string, unknown>>,
  inFiles: readonly string[] = contextFiles.flatMap(namesIn),
): { readonly named: Record<string, unknown>; readonly bare: Record<string, unknown> } {
  const internal: readonly string[] = Object.values(deploymentContext);
  const entries = Object.entries(context).filter(([name]) => !internal.includes(name));
  const named = entries.filter(([name]) => name.startsWith(prefix));
  const bare = entries.filter(([name]) => /^[A-Za-z]\w*$/.test(name) && !inFiles.includes(name));
  return {
    named: Object.fromEntries(named.map(([name, value]) => [name.slice(prefix.length), value])),
    bare: Object.fromEntries(bare),
  };
}

/** The names of a file's context; none if there is no file that can be read. */
function namesIn(file: string): string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return [Object(content), Object(content).context ?? {}].flatMap((one) => Object.keys(one));
  } catch {
    return [];
  }
}
