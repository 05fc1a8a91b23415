import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

/** A link to another page of the dashboard, without a full reload. */
export function RouteLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <Link
      href={to}
      onFollow={(event) => {
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </Link>
  );
}

/** The path of a user's page. */
export function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`;
}

/** The path of an application's page. */
export function applicationPath(appId: string): string {
  return `/applications/${encodeURIComponent(appId)}`;
}

/** The path of the page that shows who has a role, in any application. */
export function rolePath(role: string): string {
  return `/roles/${encodeURIComponent(role)}`;
}

/** The path of the history that shows one change of a user. */
export function changePath(changeId: string, userId: string): string {
  return `/history?${new URLSearchParams({ range: 'change', change: changeId, user: userId })}`;
}
