import '@cloudscape-design/global-styles/index.css';
import './shell/page.css';
import './dashboard.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createApi } from './api/create-api.ts';
import type { EarlyReads } from './api/early-reads.ts';
import { createQueryClient } from './api/queries.ts';
import { App } from './app.tsx';
import { DashboardContext } from './session/dashboard-context.ts';
import { createBrowserHistory, HistoryRouter } from './shell/browser-history.tsx';
import { FailureBoundary } from './shell/page-failure.tsx';

/** What happened before the scripts of the dashboard had arrived. */
export interface Before {
  readonly reads: EarlyReads;
  /** Whether the search of the users page has the focus. */
  readonly isSearching: boolean;
}

/** Renders the dashboard of a logged-in operator; returns the function that ends it. */
export function renderDashboard(
  place: Element,
  options: Omit<DashboardContext, 'api'>,
  { reads, isSearching }: Before,
): () => void {
  const root = createRoot(place);
  const history = createBrowserHistory();
  // At once, so that what is typed next goes to the same search.
  flushSync(() =>
    root.render(
      <StrictMode>
        <DashboardContext value={{ ...options, api: createApi(options.session, options.sent, reads.fetch) }}>
          <QueryClientProvider client={createQueryClient()}>
            <HistoryRouter of={history}>
              <FailureBoundary>
                <App />
              </FailureBoundary>
            </HistoryRouter>
          </QueryClientProvider>
        </DashboardContext>
      </StrictMode>,
    ),
  );
  if (isSearching) continueSearch();
  return () => {
    root.unmount();
    history.close();
  };
}

/** Focuses the search of the list, behind its text. */
function continueSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.setSelectionRange(search.value.length, search.value.length);
}
