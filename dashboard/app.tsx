import { Navigate, Route, Routes } from 'react-router';
import { useSession } from './session/dashboard-context.ts';
import { Frame } from './shell/frame.tsx';
import { lazyPart } from './shell/lazy-part.ts';
import { LoginPage } from './shell/login-page.tsx';
import { NoticesProvider } from './shell/notices.tsx';

const UsersPage = lazyPart(() => import('./pages/users-page.tsx'));
const UserPage = lazyPart(() => import('./pages/user-page.tsx'));
const ApplicationsPage = lazyPart(() => import('./pages/applications-page.tsx'));
const ApplicationPage = lazyPart(() => import('./pages/application-page.tsx'));
const KeysPage = lazyPart(() => import('./pages/keys-page.tsx'));
const HistoryPage = lazyPart(() => import('./pages/history-page.tsx'));
const BulkPage = lazyPart(() => import('./pages/bulk-page.tsx'));
const UndoBulkPage = lazyPart(() => import('./pages/undo-bulk-page.tsx'));
const UnknownPage = lazyPart(() => import('./pages/unknown-page.tsx'));

/** The pages for a logged-in operator; without a session their code is not loaded. */
export function App() {
  const { state } = useSession();
  if (state.kind === 'out') return <LoginPage why={state.why} />;
  return (
    <NoticesProvider>
      <Frame name={state.name}>
        <Routes>
          <Route path="/" element={<Navigate to="/users" replace />} />
          <Route path="/users" element={<UsersPage />} />
          <Route path="/users/:userId" element={<UserPage />} />
          <Route path="/applications" element={<ApplicationsPage />} />
          <Route path="/applications/:appId" element={<ApplicationPage />} />
          <Route path="/history" element={<HistoryPage />} />
          <Route path="/bulk" element={<BulkPage />} />
          <Route path="/bulk/:bulkId/undo" element={<UndoBulkPage />} />
          <Route path="/keys" element={<KeysPage />} />
          <Route path="*" element={<UnknownPage />} />
        </Routes>
      </Frame>
    </NoticesProvider>
  );
}
