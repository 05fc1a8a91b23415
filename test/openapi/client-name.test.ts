import { expect, test } from '@jest/globals';
import { clientName, showClientName } from '#shared/openapi/client-name.ts';

test('every page and every example of the SDK uses the same package name', () => {
  const name = clientName();
  const shown = showClientName(name, {});
  expect(Object.keys(shown)).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/integrate/quickstart.md',
      'docs/integrate/sdk.md',
      'client/package/README.md',
      'client/sign-request.ts',
    ]),
  );
  for (const [path, text] of Object.entries(showClientName('@example/access', { made: `from '${name}'` }))) {
    expect([path, text.includes(name), text.includes('@example/access')]).toEqual([path, false, true]);
  }
});
