import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import { useNotices, useShownNotices } from './notices.tsx';

/** Shows the notices. */
export default function NoticeBar() {
  const { hide } = useNotices();
  const items = useShownNotices().map(
    ({ id, type, content, action }): FlashbarProps.MessageDefinition => ({
      id,
      type,
      content,
      action,
      dismissible: true,
      dismissLabel: 'Dismiss',
      ariaRole: type === 'error' ? 'alert' : 'status',
      onDismiss: () => hide(id),
    }),
  );
  return <Flashbar items={items} />;
}
