import type { ReactNode } from 'react';
import type { Bulk } from '../options/option-pages.ts';
import { bulks } from '../options/registered-pages.ts';
import { RouteLink } from '../shell/route-link.tsx';

export interface BulkLinkProps {
  readonly bulk: Bulk;
  readonly children: ReactNode;
}

/** A link to the page of a bulk of changes; only the words if no option has that page. */
export function BulkLink({ bulk, children }: BulkLinkProps) {
  return bulks === undefined ? children : <RouteLink to={bulks.path(bulk)}>{children}</RouteLink>;
}
