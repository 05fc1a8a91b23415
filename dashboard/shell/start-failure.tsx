import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';

/** When not even the settings could be read. */
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
