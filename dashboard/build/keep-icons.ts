import type { Plugin } from 'vite';

/** The icons that the dashboard and the components it uses name. */
const kept: ReadonlySet<string> = new Set(
  `add-plus angle-down angle-left angle-right arrow-down arrow-left arrow-right arrow-up calendar caret-down caret-down-filled
  caret-up-filled check close copy dot download edit ellipsis expand external file filter gen-ai group history key keyboard
  lock-private map menu pause play refresh remove script search settings sign-out slash-divider status-in-progress status-info
  status-negative status-not-started status-pending status-positive status-stopped status-warning support ticket
  treeview-collapse treeview-expand upload user-profile`.split(/\s+/),
);

/** An icon of Cloudscape's module of all icons: a member of four spaces, up to the next one. */
const icon = /^ {4}"([a-z0-9-]+)": .*?(?=^ {4}"|^\})/gms;

/** Leaves icons out that nothing names; stops the build when something names one of those. */
export function keepIcons(): Plugin {
  const left: string[] = [];
  return {
    name: 'keep-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/@cloudscape-design\/components\/icon\/generated\/icons\.js$/ },
      handler: (code) => ({
        code: code.replace(icon, (whole, name: string) => {
          if (kept.has(name)) return whole;
          left.push(name);
          return '';
        }),
        map: null,
      }),
    },
    generateBundle(_, bundle) {
      if (left.length === 0) throw new Error("Cloudscape's icons are written in another way");
      const scripts = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : ''));
      const quoted = new Set(
        scripts.flatMap((code) => [...code.matchAll(/["'`]([a-z0-9-]+)["'`]/g)].map(([, name]) => name)),
      );
      const missing = left.filter((name) => quoted.has(name));
      if (missing.length > 0)
        throw new Error(`Something names these icons, which keep-icons.ts leaves out: ${missing}`);
    },
  };
}
