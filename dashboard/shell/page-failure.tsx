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
