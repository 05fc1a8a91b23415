import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

/** A link to another page of the dashboard, without loading it anew. */
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

/** Where the page of a user is. */
export function userPath(userId: string): string {
  return `/users/${encodeURIComponent(userId)}`;
}

/** Where the page of an application is. */
export function applicationPath(appId: string): string {
  return `/applications/${encodeURIComponent(appId)}`;
}
