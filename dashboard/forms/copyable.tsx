import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import type { ReactNode } from 'react';

export interface CopyableProps {
  readonly label: string;
  readonly text: string;
  readonly note?: ReactNode;
  readonly onCopied?: () => void;
}

/** A text with a button that copies it. */
export function Copyable({ label, text, note, onCopied }: CopyableProps) {
  return (
    <FormField label={label} constraintText={note}>
      <div className="break">
        <CopyToClipboard
          variant="inline"
          textToCopy={text}
          textToDisplay={text}
          copyButtonAriaLabel={`Copy ${label}`}
          copySuccessText="Copied"
          copyErrorText="Copying failed. Select the text instead."
          onCopySuccess={() => onCopied?.()}
        />
      </div>
    </FormField>
  );
}
