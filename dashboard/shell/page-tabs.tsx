import Tabs from '@cloudscape-design/components/tabs';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { Spinner } from '../lists/query-status.tsx';

export interface PageTab {
  /** Its name in the URL. */
  readonly id: string;
  readonly label: string;
}

export interface PageTabsProps {
  /** The resource whose sections they are. */
  readonly of: string;
  readonly tabs: readonly (PageTab & { readonly content: ReactNode })[];
  readonly tab: string;
  readonly onOpen: (tab: string) => void;
}

/** The sections of a page, in tabs that the URL names. */
export function PageTabs({ of, tabs, tab, onOpen }: PageTabsProps) {
  return (
    <Tabs
      ariaLabel={`Sections of ${of}`}
      i18nStrings={{ scrollLeftAriaLabel: 'Scroll tabs left', scrollRightAriaLabel: 'Scroll tabs right' }}
      activeTabId={tab}
      onChange={({ detail }) => onOpen(detail.activeTabId)}
      tabs={tabs.map(({ id, label, content }) => ({
        id,
        label,
        content: <Suspense fallback={<Spinner of={label} />}>{content}</Suspense>,
      }))}
    />
  );
}

/** The tab of the browser names the resource first, and the section unless it is the first. */
export function titleWithTab(name: string, tabs: readonly PageTab[], tab: string): string {
  const section = tabs.find(({ id }) => id === tab);
  return section === undefined || section === tabs[0] ? name : `${name} · ${section.label}`;
}

/** The tab that the URL names; an unknown one is replaced by the first. */
export function usePageTab(tabs: readonly PageTab[]): [tab: string, open: (tab: string) => void] {
  const [search, setSearch] = useSearchParams();
  const named = search.get('tab');
  const tab = tabs.find(({ id }) => id === named)?.id ?? tabs[0]?.id ?? '';
  useEffect(() => {
    if (named !== null && named !== tab) setSearch({ tab }, { replace: true });
  }, [named, tab, setSearch]);
  return [tab, (id) => setSearch({ tab: id }, { replace: true })];
}
