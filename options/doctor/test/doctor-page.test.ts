import { needing } from '#test/support/needing.ts';
import { openReader } from '#test/support/page-reader.ts';

needing('OpenSSL').test('the example of the page prints what is shown', async () => {
  const reader = await openReader();
  await reader.walk('options/doctor/README.md').finally(reader.close);
});
