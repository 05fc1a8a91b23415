import { createEarlyReads } from './api/early-reads.ts';
import { showLogin } from './session/login-page.ts';
import { readConfig } from './session/read-config.ts';
import { createSentChanges } from './session/sent-changes.ts';
import { showStartFailure } from './session/start-failure.ts';
import { startSession } from './session/start-session.ts';
import { loadStyles } from './shell/load-styles.ts';
import { followTheme } from './shell/theme.ts';
import { showFirstUsers } from './users/first-users.ts';

followTheme();
const place = document.getElementById('app') ?? document.body;
// Not awaited: the scripts of the dashboard import this one, and would wait for it.
void start().catch((error: unknown) => showStartFailure(place, error));

/**
 * Shows the login page, or loads the dashboard for whoever is logged in. React and the components belong to the dashboard alone:
 * whoever only logs in loads 30 KB.
 */
async function start(): Promise<void> {
  const config = await readConfig();
  const session = await startSession(config);
  const sent = createSentChanges();
  let shown: 'login' | 'dashboard' | undefined;
  let close = () => {};
  const show = async () => {
    const state = session.state();
    if (state.kind === 'in') sent.clear();
    else sent.hold();
    const next = state.kind === 'in' ? 'dashboard' : 'login';
    if (next === shown) return;
    shown = next;
    close();
    close = () => {};
    if (state.kind === 'out') {
      close = showLogin(place, { session, sent, why: state.why });
      return;
    }
    const reads = createEarlyReads(session);
    const firstUsers = showFirstUsers(place, reads);
    preloadDashboard();
    const [{ renderDashboard }] = await Promise.all([import('./render-dashboard.tsx'), loadStyles('start')]).catch(
      () => {
        throw new Error("This page couldn't be loaded. Check your connection and try again.");
      },
    );
    const isSearching = firstUsers?.close() ?? false;
    if (shown === 'dashboard') close = renderDashboard(place, { config, session, sent }, { reads, isSearching });
  };
  session.subscribe(() => void show().catch((error: unknown) => showStartFailure(place, error)));
  await show();
}

/** Loads the scripts, styles and fonts of the dashboard at the same time, unless the page has begun to. */
function preloadDashboard(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[data-rel]:not([rel])')) {
    link.rel = link.dataset.rel ?? '';
  }
}
