import Box from '@cloudscape-design/components/box';
import Modal from '@cloudscape-design/components/modal';

const keys: readonly (readonly [key: string, what: string])[] = [
  ['/', 'Find a user, application or role'],
  ['Ctrl K or ⌘ K', 'The same, also while you type'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog or a menu'],
  ['← →', 'Move between the days of the chart, or between tabs'],
];

/** What the keyboard does on every page. */
export default function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal visible header="Keyboard" closeAriaLabel="Close" onDismiss={onClose}>
      <table cellPadding={4}>
        <tbody>
          {keys.map(([key, what]) => (
            <tr key={key}>
              <th scope="row" className="key">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Box variant="small" color="text-body-secondary" padding={{ top: 's' }}>
        The settings can turn / and ? off.
      </Box>
    </Modal>
  );
}
