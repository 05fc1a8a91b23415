import { lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { useSession } from './session/dashboard-context.ts';
import { Frame } from './shell/frame.tsx';
import { LoginPage } from './shell/login-page.tsx';
import { NoticesProvider } from './shell/notices.tsx';

const UsersPage = lazy(() => import('./pages/users-page.tsx'));
const UserPage = lazy(() => import('./pages/user-page.tsx'));
const ApplicationsPage = lazy(() => import('./pages/applications-page.tsx'));
const ApplicationPage = lazy(() => import('./pages/application-page.tsx'));
const UnknownPage = lazy(() => import('./pages/unknown-page.tsx'));

/** The pages for a logged-in operator; without a session their code is not even loaded. */
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
          <Route path="*" element={<UnknownPage />} />
        </Routes>
      </Frame>
    </NoticesProvider>
  );
}
