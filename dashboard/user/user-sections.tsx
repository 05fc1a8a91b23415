import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense } from 'react';
import { Spinner } from '../lists/query-status.tsx';
import type { UserSectionProps } from '../options/option-pages.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { lazyPart } from '../shell/lazy-part.tsx';

const sections = registeredPages
  .flatMap(({ userSections = [] }) => userSections)
  .map(({ lazy, ...section }) => ({ ...section, Content: lazyPart(lazy) }));

/** What the options show of a user. */
export function UserSections({ user }: UserSectionProps) {
  return (
    <SpaceBetween size="l">
      {sections.map(({ id, label, Content }) => (
        <Suspense key={id} fallback={<Spinner of={label} />}>
          <Content user={user} />
        </Suspense>
      ))}
    </SpaceBetween>
  );
}
