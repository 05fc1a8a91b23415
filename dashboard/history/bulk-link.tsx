import { type ReactNode, useContext } from 'react';
import { BulksContext } from '../options/bulks-context.ts';
import type { Bulk } from '../options/option-pages.ts';
import { RouteLink } from '../shell/route-link.tsx';

export interface BulkLinkProps {
  readonly bulk: Bulk;
  readonly children: ReactNode;
}

/** A link to the page of a bulk of changes; only the words if no option has that page. */
export function BulkLink({ bulk, children }: BulkLinkProps) {
  const { pages } = useContext(BulksContext);
  return pages === undefined ? children : <RouteLink to={pages.path(bulk)}>{children}</RouteLink>;
}
