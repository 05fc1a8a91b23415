import { Navigate, Route, Routes } from 'react-router';
import { BulksContext } from './options/bulks-context.ts';
import { bulks, home, registeredPages } from './options/registered-pages.ts';
import { ToDosContext } from './options/to-dos.ts';
import { CountsContext } from './options/use-counts.ts';
import UsersPage from './pages/users-page.tsx';
import { useSession } from './session/dashboard-context.ts';
import { Allowed } from './shell/allowed.tsx';
import { Frame } from './shell/frame.tsx';
import { lazyPart } from './shell/lazy-part.tsx';
import { NoticesProvider } from './shell/notices.tsx';
import { TopBar } from './shell/top-bar.tsx';

const UserPage = lazyPart(() => import('./pages/user-page.tsx'));
const ApplicationsPage = lazyPart(() => import('./pages/applications-page.tsx'));
const ApplicationPage = lazyPart(() => import('./pages/application-page.tsx'));
const KeysPage = lazyPart(() => import('./pages/keys-page.tsx'));
const RolesPage = lazyPart(() => import('./pages/roles-page.tsx'));
const RolePage = lazyPart(() => import('./pages/role-page.tsx'));
const HistoryPage = lazyPart(() => import('./pages/history-page.tsx'));
const UnknownPage = lazyPart(() => import('./pages/unknown-page.tsx'));
const optionRoutes = registeredPages
  .flatMap(({ routes = [] }) => routes)
  .map(({ lazy, ...route }) => ({ ...route, Page: lazyPart(lazy) }));

const counts = registeredPages.find((option) => option.counts)?.counts;
const toDos = registeredPages.flatMap((option) => option.toDos ?? []);

/** The pages for a logged-in operator. All pages but the first are loaded as parts. */
export function App() {
  const { state } = useSession();
  // The login page takes the place of the whole dashboard.
  if (state.kind === 'out') return null;
  return (
    <NoticesProvider>
      <ToDosContext value={toDos}>
        <CountsContext value={counts}>
          <BulksContext value={bulks}>
            <Frame bar={<TopBar name={state.name} />}>
              <Routes>
                <Route path="/" element={<Navigate to={home.to} replace />} />
                <Route path="/users" element={<UsersPage />} />
                <Route path="/users/:userId" element={<UserPage />} />
                <Route path="/applications" element={<ApplicationsPage />} />
                <Route path="/applications/:appId" element={<ApplicationPage />} />
                <Route path="/roles" element={<RolesPage />} />
                <Route path="/roles/:role" element={<RolePage />} />
                <Route path="/history" element={<HistoryPage />} />
                <Route path="/keys" element={<KeysPage />} />
                {optionRoutes.map(({ path, operation, Page }) => (
                  <Route
                    key={path}
                    path={path}
                    element={
                      <Allowed operation={operation}>
                        <Page />
                      </Allowed>
                    }
                  />
                ))}
                <Route path="*" element={<UnknownPage />} />
              </Routes>
            </Frame>
          </BulksContext>
        </CountsContext>
      </ToDosContext>
    </NoticesProvider>
  );
}
