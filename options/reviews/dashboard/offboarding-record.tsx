import type { BulkKindProps } from '#dashboard/options/option-pages.ts';
import { offboardingIn } from '../offboarding.ts';
import { ReceiptButtons } from './receipt-buttons.tsx';

/** The receipt of an offboarding that the history has. */
export default function OffboardingRecord({ bulkId, changes, displayName }: BulkKindProps) {
  const offboarding = offboardingIn(changes, bulkId);
  const [first] = changes.toReversed();
  if (offboarding === undefined || first?.userId === undefined) return null;
  const { userId, at, caller, reason, ticket } = first;
  return (
    <ReceiptButtons
      receipt={{ userId, bulkId, displayName, at, caller, reason, ticket, removed: offboarding.removed }}
    />
  );
}
