import '@cloudscape-design/global-styles/index.css';
import './shell/page.css';
import './dashboard.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { createApi } from './api/create-api.ts';
import { createQueryClient } from './api/queries.ts';
import { App } from './app.tsx';
import { DashboardContext } from './session/dashboard-context.ts';
import { readConfig } from './session/read-config.ts';
import { createSentChanges } from './session/sent-changes.ts';
import { startSession } from './session/start-session.ts';
import { PageFailure, StartFailure } from './shell/page-failure.tsx';
import { followTheme } from './shell/theme.ts';

followTheme();
const root = createRoot(document.getElementById('app') ?? document.body);
await start().catch((error: unknown) => root.render(<StartFailure error={error} />));

async function start(): Promise<void> {
  const config = await readConfig();
  const session = await startSession(config);
  const sent = createSentChanges();
  session.subscribe(() => (session.state().kind === 'in' ? sent.clear() : sent.hold()));
  // The declarative router cannot block navigation, which the dialog of a secret needs. The routes are defined by App.
  const router = createBrowserRouter([{ path: '*', element: <App />, ErrorBoundary: PageFailure }]);
  root.render(
    <StrictMode>
      <DashboardContext value={{ config, session, api: createApi(session, sent), sent }}>
        <QueryClientProvider client={createQueryClient()}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </DashboardContext>
    </StrictMode>,
  );
}
