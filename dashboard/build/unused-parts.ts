import type { Plugin } from 'vite';

const doesNothing = '{ installPublic = (api = {}) => api; installInternal = (api = {}) => api; }';

/**
 * Modules that every component of Cloudscape loads and the dashboard has no use for, with what stands in for them: the controllers
 * of its AppLayout, the analytics of forms, which nobody collects, the handles of resizable columns, and virtual lists. A component
 * that imports more of them stops the build.
 */
const replacements: Readonly<Record<string, string>> = {
  'plugins/controllers/drawers.js': `export class DrawersController ${doesNothing}`,
  'plugins/controllers/app-layout-widget.js': `export class AppLayoutWidgetController ${doesNothing}`,
  'analytics/components/analytics-funnel.js': `const Passing = ({ children }) => (typeof children === 'function' ? children({}) : children);
export { Passing as AnalyticsFunnel, Passing as AnalyticsFunnelStep, Passing as AnalyticsFunnelSubStep };`,
  'components/drag-handle-wrapper/index.js': 'export default ({ children }) => children;',
  'vendor/react-virtual.js': `const useVirtual = () => { throw new Error('The dashboard has no virtual lists: see unused-parts.ts'); };
export { useVirtual, useVirtual as defaultRangeExtractor };`,
};

export function replaceUnusedParts(): Plugin {
  return {
    name: 'replace-unused-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /\/@cloudscape-design\/components\/internal\/(?:plugins|analytics|components|vendor)\// },
      handler: (id) => Object.entries(replacements).find(([file]) => id.endsWith(`/${file}`))?.[1],
    },
  };
}
