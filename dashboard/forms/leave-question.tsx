import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { type KeptInputOptions, useKeptInput } from './use-kept-input.ts';

interface LeaveQuestionProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before what was typed is lost. */
export function LeaveQuestion({ onStay, onLeave }: LeaveQuestionProps) {
  return (
    <div role="alert">
      <Alert type="warning" header="Discard what you typed?">
        <SpaceBetween direction="horizontal" size="xs">
          <Button onClick={onStay}>Keep editing</Button>
          <Button onClick={onLeave}>Discard</Button>
        </SpaceBetween>
      </Alert>
    </div>
  );
}

/** Said when what was typed before the session ended is there again. */
export function RestoredNote() {
  return (
    <div role="status">
      <Alert type="info">What you typed before your session ended is here again.</Alert>
    </div>
  );
}

/** A form that is a page or a part of one. Leaving it asks before what was typed is lost. */
export function KeptPage({ children, ...options }: KeptInputOptions & { readonly children: ReactNode }) {
  const { within, note, wasRestored, isAtRisk, isLeaving, stay, leave } = useKeptInput(options);
  return (
    <div ref={within} onInput={note}>
      <SpaceBetween size="m">
        {wasRestored && isAtRisk && <RestoredNote />}
        {children}
      </SpaceBetween>
      {isLeaving && (
        <Modal
          visible
          header="Discard what you typed?"
          closeAriaLabel="Close"
          onDismiss={stay}
          footer={
            <Box float="right">
              <SpaceBetween direction="horizontal" size="xs">
                <Button variant="link" onClick={leave}>
                  Discard
                </Button>
                <Button variant="primary" onClick={stay}>
                  Keep editing
                </Button>
              </SpaceBetween>
            </Box>
          }
        >
          Leaving this page loses what you typed.
        </Modal>
      )}
    </div>
  );
}
