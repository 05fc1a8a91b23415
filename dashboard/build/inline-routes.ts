import type { Plugin } from 'vite';
import { managementRoutes } from '#client/management/management-contract.ts';
import { type ManageOperationName, manageOperations } from '#shared/contract/operations.ts';

/**
 * Replaces `api/operation-routes.ts` by its values, beside the methods and paths of the client: the schemas of the operations are
 * 25 KB of scripts, which a first visit needs none of.
 */
export function inlineRoutes(): Plugin {
  const rules = (Object.keys(managementRoutes) as ManageOperationName[]).map(ruleOf);
  return {
    name: 'inline-routes',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/dashboard/api/operation-routes.ts')) return undefined;
      return `import { managementRoutes } from '#client/management/management-contract.ts';
const rules = ${JSON.stringify(rules.join())}.split(',');
export const operationRoutes = Object.fromEntries(
  Object.entries(managementRoutes).map(([name, [method, path]], n) => {
    const [role, forLimited] = rules[n].split(' ');
    return [name, { method, path, role, forLimited }];
  }),
);`;
    },
  };
}

/** The role of an operation and what a limited one is enough for, such as `viewer whole`. */
function ruleOf(name: ManageOperationName): string {
  const { role, forLimited = '' }: { readonly role: string; readonly forLimited?: string } = manageOperations[name];
  return `${role} ${forLimited}`.trimEnd();
}
