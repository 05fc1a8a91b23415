import type { Plugin } from 'vite';
import { manageOperations } from '#shared/contract/operations.ts';

/** Replaces `api/operation-routes.ts` by its values: the schemas of the operations are 25 KB of scripts, which a first visit needs none of. */
export function inlineRoutes(): Plugin {
  const routes = Object.entries<object>(manageOperations).map(([name, operation]) => [name, routeOf({ ...operation })]);
  return {
    name: 'inline-routes',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/dashboard/api/operation-routes.ts')) return undefined;
      return `export const operationRoutes = ${JSON.stringify(Object.fromEntries(routes))};`;
    },
  };
}

function routeOf({ method, path, role, forLimited }: Readonly<Record<string, unknown>>) {
  return { method, path, role, forLimited };
}
