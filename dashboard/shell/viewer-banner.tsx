import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import { useOperator } from '../session/use-operator.ts';

/** Tells a viewer once, above every page, why nothing can be changed. */
export function ViewerBanner() {
  const { isViewer, roles } = useOperator();
  if (!isViewer) return null;
  return (
    <Box margin={{ bottom: 'm' }}>
      <Alert type="info">
        You can see this, but not change it: your role is {roles}. Changes require the support or the admin role.
      </Alert>
    </Box>
  );
}
