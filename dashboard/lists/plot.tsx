import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';

export interface PlotProps {
  /** What is counted upwards. */
  readonly title: string;
  /** The value at the top; the bottom is zero. */
  readonly most: number;
  /** The values from left to right, evenly apart. */
  readonly along: readonly string[];
  /** Default: as wide as the page. */
  readonly maxWidth?: number;
  /** The drawing, without labels. */
  readonly children: ReactNode;
}

/** A drawing with the labels of its axes, which are hidden from screen readers: a sentence and a table say the same. */
export function Plot({ title, most, along, maxWidth, children }: PlotProps) {
  return (
    <div style={{ ...(maxWidth && { maxWidth }) }}>
      <Label>{title}</Label>
      <div style={{ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: '0.5rem' }}>
        <div style={{ ...apart, flexDirection: 'column', textAlign: 'end' }}>
          <Label>{most.toLocaleString('en')}</Label>
          <Label>0</Label>
        </div>
        {children}
        <div style={{ ...apart, gridColumn: 2 }}>
          {along.map((value) => (
            <Label key={value}>{value}</Label>
          ))}
        </div>
      </div>
    </div>
  );
}

const apart = { display: 'flex', justifyContent: 'space-between' } as const;

function Label({ children }: { readonly children: ReactNode }) {
  return (
    <div aria-hidden="true">
      <Box variant="small" display="block" color="text-body-secondary">
        {children}
      </Box>
    </div>
  );
}
