import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAppName } from '#dashboard/history/use-names.ts';
import { type Receipt, receiptText, saveReceipt } from './receipt-text.ts';

/** Copies or downloads the receipt of an offboarding. */
export function ReceiptButtons({ receipt }: { readonly receipt: Receipt }) {
  const text = receiptText(receipt, useAppName());
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <CopyToClipboard
        copyButtonText="Copy receipt"
        textToCopy={text}
        copySuccessText="Copied"
        copyErrorText="Copying failed. Download it instead."
      />
      <Button iconName="download" onClick={() => saveReceipt(receipt, text)}>
        Download receipt
      </Button>
    </SpaceBetween>
  );
}
