import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** Shown when a page fails. */
export class FailureBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <PageFailure /> : this.props.children;
  }
}

export function PageFailure() {
  const reload = <Button onClick={() => location.reload()}>Reload</Button>;
  return (
    <Alert type="error" header="This page could not be displayed" action={reload}>
      Nothing that was saved is lost.
    </Alert>
  );
}

/** Shown when the settings could not be read. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main className="page">
      <h1>Access administration</h1>
      <Alert
        type="error"
        header="The dashboard cannot start"
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      >
        {error instanceof Error ? error.message : 'Try again in a moment.'}
      </Alert>
    </main>
  );
}
