import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import { useNavigate } from 'react-router';

export interface BreadcrumbsProps {
  /** The list that the page belongs to. */
  readonly list: Crumb;
  /** The page between the list and this one, if any. */
  readonly parent?: Crumb;
  /** The subject of the page. */
  readonly current: string;
}

interface Crumb {
  readonly text: string;
  readonly href: string;
}

/** Breadcrumbs of a page: its list and its title. */
export function Breadcrumbs({ list, parent, current }: BreadcrumbsProps) {
  const navigate = useNavigate();
  return (
    <BreadcrumbGroup
      ariaLabel="Breadcrumbs"
      items={[list, ...(parent ? [parent] : []), { text: current, href: '#' }]}
      onFollow={(event) => {
        event.preventDefault();
        if (event.detail.href !== '#') navigate(event.detail.href);
      }}
    />
  );
}
