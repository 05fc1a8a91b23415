import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { registeredPages } from '../options/registered-pages.ts';

/** The pages that belong to another one, by the first part of their path. */
const sections: Readonly<Record<string, string>> = Object.fromEntries([
  ['roles', 'applications'],
  ...registeredPages
    .flatMap(({ routes = [] }) => routes)
    .flatMap(({ path, section }) => (section === undefined ? [] : [[path.split('/')[1], section]])),
]);

/**
 * Marks the link of the current page in the bar, and in its menu on a narrow screen, for the eye and for screen readers. The
 * component of the bar has no property for it, and renders its links again when the width changes.
 */
export function useCurrentMark(): void {
  const [, first = ''] = useLocation().pathname.split('/');
  const href = `/${sections[first] ?? first}`;
  useEffect(() => {
    const bar = document.getElementById('bar');
    if (bar === null) return;
    const mark = () => {
      for (const link of bar.querySelectorAll('a')) {
        const isCurrent = link.getAttribute('href') === href;
        if (isCurrent) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(bar, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [href]);
}
