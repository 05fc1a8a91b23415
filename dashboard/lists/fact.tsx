import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';

/** A value with its label. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Box variant="awsui-key-label">{label}</Box>
      {children}
    </div>
  );
}
