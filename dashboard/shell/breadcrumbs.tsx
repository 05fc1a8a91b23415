import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import { useNavigate } from 'react-router';

export interface BreadcrumbsProps {
  /** The list that the page belongs to. */
  readonly list: { readonly text: string; readonly href: string };
  /** What the page shows. */
  readonly current: string;
}

/** The way back to the list. */
export function Breadcrumbs({ list, current }: BreadcrumbsProps) {
  const navigate = useNavigate();
  return (
    <BreadcrumbGroup
      ariaLabel="Where this is"
      items={[list, { text: current, href: '#' }]}
      onFollow={(event) => {
        event.preventDefault();
        if (event.detail.href !== '#') navigate(event.detail.href);
      }}
    />
  );
}
