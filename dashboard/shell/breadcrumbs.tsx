import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import { useNavigate } from 'react-router';

export interface BreadcrumbsProps {
  /** The list that the page belongs to. */
  readonly list: { readonly text: string; readonly href: string };
  /** The subject of the page. */
  readonly current: string;
}

/** Breadcrumbs of a page: its list and its title. */
export function Breadcrumbs({ list, current }: BreadcrumbsProps) {
  const navigate = useNavigate();
  return (
    <BreadcrumbGroup
      ariaLabel="Breadcrumbs"
      items={[list, { text: current, href: '#' }]}
      onFollow={(event) => {
        event.preventDefault();
        if (event.detail.href !== '#') navigate(event.detail.href);
      }}
    />
  );
}
