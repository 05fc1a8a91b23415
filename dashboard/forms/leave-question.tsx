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
        <LeaveModal header="Discard what you typed?" leave="Discard" stay="Keep editing" onLeave={leave} onStay={stay}>
          Leaving this page loses what you typed.
        </LeaveModal>
      )}
    </div>
  );
}

interface LeaveModalProps extends LeaveQuestionProps {
  readonly header: string;
  /** The labels of the buttons. */
  readonly leave: string;
  readonly stay: string;
  readonly children: ReactNode;
}

/** Asks before a page is left. */
export function LeaveModal({ header, leave, stay, onLeave, onStay, children }: LeaveModalProps) {
  return (
    <Modal
      visible
      header={header}
      closeAriaLabel="Close"
      onDismiss={onStay}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onLeave}>
              {leave}
            </Button>
            <Button variant="primary" onClick={onStay}>
              {stay}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      {children}
    </Modal>
  );
}
