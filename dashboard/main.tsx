import '@cloudscape-design/global-styles/index.css';
import './main.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { createApi } from './api/create-api.ts';
import { createQueryClient } from './api/queries.ts';
import { ApiContext } from './api/use-api.ts';
import { App } from './app.tsx';
import { readConfig } from './session/read-config.ts';
import { startSession } from './session/start-session.ts';
import { ConfigContext } from './session/use-config.ts';
import { SessionContext } from './session/use-session.ts';
import { StartFailure } from './shell/start-failure.tsx';
import { followTheme } from './shell/theme.ts';

followTheme();
const root = createRoot(document.getElementById('app') ?? document.body);
await start().catch((error: unknown) => root.render(<StartFailure error={error} />));

async function start(): Promise<void> {
  const config = await readConfig();
  const session = await startSession(config);
  root.render(
    <StrictMode>
      <ConfigContext value={config}>
        <SessionContext value={session}>
          <ApiContext value={createApi(session)}>
            <QueryClientProvider client={createQueryClient()}>
              <BrowserRouter>
                <App />
              </BrowserRouter>
            </QueryClientProvider>
          </ApiContext>
        </SessionContext>
      </ConfigContext>
    </StrictMode>,
  );
}
