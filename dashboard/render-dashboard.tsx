import '@cloudscape-design/global-styles/index.css';
import './shell/page.css';
import './dashboard.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi } from './api/create-api.ts';
import { createQueryClient } from './api/queries.ts';
import { App } from './app.tsx';
import { DashboardContext } from './session/dashboard-context.ts';
import { createBrowserHistory, HistoryRouter } from './shell/browser-history.tsx';
import { FailureBoundary } from './shell/page-failure.tsx';

/** Renders the dashboard of a logged-in operator; returns the function that ends it. */
export function renderDashboard(place: Element, options: Omit<DashboardContext, 'api'>): () => void {
  const root = createRoot(place);
  const history = createBrowserHistory();
  root.render(
    <StrictMode>
      <DashboardContext value={{ ...options, api: createApi(options.session, options.sent) }}>
        <QueryClientProvider client={createQueryClient()}>
          <HistoryRouter of={history}>
            <FailureBoundary>
              <App />
            </FailureBoundary>
          </HistoryRouter>
        </QueryClientProvider>
      </DashboardContext>
    </StrictMode>,
  );
  return () => {
    root.unmount();
    history.close();
  };
}
