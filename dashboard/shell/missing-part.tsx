import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect } from 'react';
import { preloadParts, retryParts, useIsPartMissing } from './lazy-part.ts';
import { useNotices } from './notices.tsx';

const id = 'missing-part';

/** Loads the other pages and the dialogs ahead, once it is on the screen itself. */
export function PreloadParts() {
  useEffect(() => {
    performance.mark('preload');
    // What is missing then is loaded again when it is needed.
    const preload = () => void preloadParts().catch(() => undefined);
    preload();
    addEventListener('online', preload);
    return () => removeEventListener('online', preload);
  }, []);
  return null;
}

/** Says so when a page or dialog that is needed could not be loaded. */
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
  'What you asked for could not be loaded. Check the connection and try again. If the dashboard was updated meanwhile, reload the page.';
const action = (
  <SpaceBetween direction="horizontal" size="xs">
    <Button onClick={retryParts}>Try again</Button>
    <Button onClick={() => location.reload()}>Reload</Button>
  </SpaceBetween>
);
