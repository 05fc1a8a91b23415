import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect } from 'react';

export interface StickyActionsProps {
  /** The page. */
  readonly children: ReactNode;
  /** The button. */
  readonly action: ReactNode;
  /** What the action would do, or what it needs. */
  readonly status: string;
}

/** A long page, whose action stays at the bottom of the window. */
export function StickyActions({ children, action, status }: StickyActionsProps) {
  // Keeps the focused element from being hidden by it (WCAG 2.2, 2.4.11).
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBlockEnd = '7rem';
    return () => {
      style.scrollPaddingBlockEnd = '';
    };
  }, []);
  return (
    <div style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '1rem' }}>
      {children}
      <div style={{ position: 'sticky', insetBlockEnd: '0.5rem', zIndex: 800 }}>
        <Container>
          <SpaceBetween direction="horizontal" size="s" alignItems="center">
            {action}
            <Box color="text-body-secondary">
              <span role="status">{status}</span>
            </Box>
          </SpaceBetween>
        </Container>
      </div>
    </div>
  );
}
