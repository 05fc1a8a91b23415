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
    <Alert type="error" header="This page can't be displayed" action={reload}>
      Saved changes are not affected. Reload the page.
    </Alert>
  );
}

/** Shown if the settings cannot be read. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main className="page">
      <h1>Access administration</h1>
      <Alert
        type="error"
        header="The dashboard can't start"
        action={<Button onClick={() => location.reload()}>Try again</Button>}
      >
        {error instanceof Error ? error.message : 'Try again in a moment.'}
      </Alert>
    </main>
  );
}
