import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect } from 'react';
import { preloadParts, retryParts, useIsPartMissing } from './lazy-part.ts';
import { useNotices } from './notices.tsx';

const id = 'missing-part';

/** Preloads the other pages and the dialogs once the first page is on the screen. */
export function PreloadParts() {
  useEffect(() => {
    performance.mark('preload');
    // A missing part is loaded again when it is needed.
    const preload = () => void preloadParts().catch(() => undefined);
    preload();
    addEventListener('online', preload);
    return () => removeEventListener('online', preload);
  }, []);
  return null;
}

/** Shows a notice if a page or dialog that is needed failed to load. */
export function MissingPart() {
  const { show, hide } = useNotices();
  const isMissing = useIsPartMissing();
  useEffect(() => {
    addEventListener('online', retryParts);
    return () => removeEventListener('online', retryParts);
  }, []);
  useEffect(() => {
    if (isMissing) show({ id, type: 'error', content, action });
    else hide(id);
  }, [isMissing, show, hide]);
  return null;
}

const content =
  "This part of the dashboard couldn't be loaded. Check your connection and try again. If the dashboard was just updated, reload the page.";
const action = (
  <SpaceBetween direction="horizontal" size="xs">
    <Button onClick={retryParts}>Try again</Button>
    <Button onClick={() => location.reload()}>Reload</Button>
  </SpaceBetween>
);
