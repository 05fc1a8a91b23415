import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { Spinner } from '../lists/query-status.tsx';
import { lazyPart, MissingPart, PreloadParts } from './lazy-part.tsx';
import { useShownNotices } from './notices.tsx';
import { FailureBoundary } from './page-failure.tsx';
import { ViewerBanner } from './viewer-banner.tsx';

const NoticeBar = lazyPart(() => import('./notice-bar.tsx'));

/**
 * The layout around every page. After navigation the focus moves to the start of the new page, but not after a redirect, such
 * as to the first page after the login: someone may be typing already.
 */
export function Frame({ bar, children }: { readonly bar: ReactNode; readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigation = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (navigation === 'REPLACE') return;
    scrollTo(0, 0);
    main.current?.focus();
  }, [pathname, navigation]);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: following it would add a history entry that the router does not know */}
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      {/* This landmark includes the menu of a narrow screen, which Cloudscape renders outside its header. */}
      <nav id="bar" aria-label="Access administration">
        {bar}
      </nav>
      <main id="main" className="page" tabIndex={-1} ref={main}>
        <div className="notices">
          <Notices />
          <MissingPart />
        </div>
        <ViewerBanner />
        {/* Outside the boundary, which is keyed by page: the previous page stays until the next one is loaded. */}
        <Suspense fallback={<Spinner of="the page" />}>
          <FailureBoundary key={pathname}>{children}</FailureBoundary>
          <PreloadParts />
        </Suspense>
      </main>
    </>
  );
}

/** The notices, whose bar is loaded with the first one and stays, so that the last one can fade out. */
function Notices() {
  const isNeeded = useShownNotices().length > 0;
  const [isLoaded, setLoaded] = useState(false);
  if (isNeeded && !isLoaded) setLoaded(true);
  return (
    isLoaded && (
      <Suspense>
        <NoticeBar />
      </Suspense>
    )
  );
}

/** Sets the title in the browser's tab and history. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Access administration`;
  }, [title]);
}
