import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { readSettings } from '../../../../lib/settings/settings.ts';
import { functionsOf, resourcesOf, synthesizeTemplate } from '../../../../test/stack/synthesized-stack.ts';
import { contextOf } from '../../../../test/support/stack-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'branding-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes = 10): string {
  const path = join(folder, name);
  writeFileSync(path, 'x'.repeat(bytes));
  return path;
}

const read = (branding: object) => {
  const root = new RootConstruct();
  const context = contextOf({ stage: 'prod', login: { branding } });
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return readSettings(root.node).loginBranding;
};

describe('the branding in the setting login', () => {
  test('has a name, a color and an image, or some of them', () => {
    const path = fileOf('logo.SVG');
    const all = { name: 'Example & Söhne', color: '#1A5276', logo: path };
    expect(read(all)).toEqual({ ...all, logo: { path, extension: 'SVG' } });
    expect(read({})).toEqual({});
  });

  test.each([
    [{ name: 'You {username}' }, 'branding.name: Expected 1 to 50 characters'],
    [{ name: 'x'.repeat(51) }, 'branding.name: Expected 1 to 50 characters'],
    [{ color: 'red' }, 'branding.color: Expected a color such as #1a5276'],
    [{ logo: 'missing.png' }, 'branding.logo: There is no file missing.png'],
    [{ font: 'serif' }, 'branding.font: '],
  ])('refuses %j', (branding, reason) => {
    expect(() => read(branding)).toThrow(reason);
  });

  test('refuses a color on which white text cannot be read, by the ratios of WCAG', () => {
    // 4.54:1 and 4.48:1.
    expect(read({ color: '#767676' })?.color).toBe('#767676');
    expect(() => read({ color: '#777777' })).toThrow('white text can be read');
    expect(() => read({ color: '#ffd000' })).toThrow('white text can be read');
  });

  test('refuses another kind of image, and one that is larger than Cognito takes', () => {
    expect(() => read({ logo: fileOf('logo.gif') })).toThrow('.png, .svg, .jpg or .webp');
    expect(read({ logo: fileOf('large.png', 500_000) })?.logo?.extension).toBe('PNG');
    expect(() => read({ logo: fileOf('huge.png', 500_001) })).toThrow('at most 500 KB');
  });
});

describe('the stack with a branding', () => {
  const synthesize = (branding: object) => synthesizeTemplate({ stage: 'prod', login: JSON.stringify({ branding }) });
  const styleIn = async (branding: object) => {
    const template = await synthesize(branding);
    const variables = ['sync-login', 'manage'].map((name) => {
      const { Environment } = functionsOf(template).get(name)?.Properties ?? {};
      const { Variables } = Environment as { Variables: { LOGIN_STYLE?: string } };
      return Variables.LOGIN_STYLE;
    });
    expect(variables[0]).toBe(variables[1]);
    return variables[0] === undefined ? undefined : JSON.parse(variables[0]);
  };

  test('has the name in e-mails', async () => {
    const pools = [...resourcesOf(await synthesize({ name: 'Example' }), 'AWS::Cognito::UserPool').values()];
    const people = pools.find(({ Properties }) => JSON.stringify(Properties).includes('You are invited'));
    expect(people?.Properties).toMatchObject({
      AdminCreateUserConfig: { InviteMessageTemplate: { EmailSubject: 'You are invited to Example' } },
      VerificationMessageTemplate: { EmailSubject: 'Your code for Example' },
    });
  });

  test('has another style with another color or image, and the image where the function reads it', async () => {
    const path = fileOf('first.png', 1);
    const first = await styleIn({ color: '#1a5276', logo: path });
    expect(first).toMatchObject({ color: '#1a5276', logo: { path: '/opt/login-logo', extension: 'PNG' } });
    const others = [
      await styleIn({ color: '#1a5277', logo: path }),
      await styleIn({ color: '#1a5276', logo: fileOf('second.png', 2) }),
    ];
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(3);
    const template = await synthesize({ logo: path });
    const [layer] = resourcesOf(template, 'AWS::Lambda::LayerVersion').keys();
    expect(functionsOf(template).get('sync-login')?.Properties.Layers).toEqual([{ Ref: layer }]);
    expect(await styleIn({ name: 'Example' })).toBeUndefined();
  });
});
