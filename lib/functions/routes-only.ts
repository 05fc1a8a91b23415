import type { Plugin } from 'esbuild';
import { serviceOperations } from '#shared/contract/operations.ts';

/** The one function that needs of the records no more than their routes. */
const importer = /functions\/refuse-unknown-route\.ts$/;
const namespace = 'routes-only';

/**
 * Gives the function for unknown routes the methods and paths of the Service API without the schemas of its records: 5 KB
 * of code instead of 20. It answers whoever tries paths at random.
 */
export const routesOnly: Plugin = {
  name: namespace,
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^#shared\/contract\/operations\.ts$/ }, ({ path, importer: from }) =>
      importer.test(from) ? { path, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, () => {
      const routes = Object.values(serviceOperations).map(({ name, method, path }) => [name, { method, path }]);
      return { contents: `export const serviceOperations = ${JSON.stringify(Object.fromEntries(routes))};` };
    });
  },
};
