import { needing } from '../support/needing.ts';
import { openReader } from '../support/page-reader.ts';

needing('curl', 'OpenSSL').test('the commands of the rollout page print what it shows', async () => {
  const reader = await openReader();
  await reader.walk('docs/operate/rollout.md').finally(reader.close);
});
