import { readFile } from 'node:fs/promises';
import { variable } from '#shared/core/config.ts';
import { callPool, isPoolError } from './call-pool.ts';
import type { ClientStyle } from './style-setting.ts';

/** The id of the style of all clients; undefined while it is Cognito's own. */
export function styleId(): string | undefined {
  return clientStyle()?.id;
}

/** Only the function that needs it has it. */
function clientStyle(): ClientStyle | undefined {
  const style = variable('LOGIN_STYLE');
  return style === undefined ? undefined : (JSON.parse(style) as ClientStyle);
}

/** Gives the pages of a client the style, without which managed login shows none. */
export async function styleClient(pool: string, clientId: string): Promise<void> {
  const style = clientStyle();
  const content = style === undefined ? { UseCognitoProvidedValues: true } : await contentOf(style);
  const client = { UserPoolId: pool, ClientId: clientId };
  try {
    await callPool('CreateManagedLoginBranding', { ...client, ...content });
  } catch (error) {
    if (!isPoolError(error, 'ManagedLoginBrandingExistsException')) throw error;
    // Who may read and change one, only a deployment with a style lets.
    if (style !== undefined) await restyle(client, content);
  }
}

async function restyle(client: { readonly UserPoolId: string }, content: object): Promise<void> {
  const { ManagedLoginBranding } = await callPool<{ ManagedLoginBranding: { ManagedLoginBrandingId: string } }>(
    'DescribeManagedLoginBrandingByClient',
    client,
  );
  const { ManagedLoginBrandingId } = ManagedLoginBranding;
  await callPool('UpdateManagedLoginBranding', { UserPoolId: client.UserPoolId, ManagedLoginBrandingId, ...content });
}

/** What is not named stays as Cognito has it. https://docs.aws.amazon.com/cognito/latest/developerguide/managed-login-brandingeditor.md */
async function contentOf({ color, logo }: ClientStyle) {
  const shownLogo = { enabled: true, formInclusion: 'IN', location: 'CENTER', position: 'TOP' };
  const components = {
    ...(color !== undefined && { primaryButton: buttonOf(`${color.slice(1).toLowerCase()}ff`) }),
    ...(logo !== undefined && { form: { logo: shownLogo } }),
  };
  if (logo === undefined) return { Settings: { components } };
  const Bytes = await readFile(logo.path, 'base64');
  const asset = { Category: 'FORM_LOGO', ColorMode: 'DYNAMIC', Extension: logo.extension, Bytes };
  return { Settings: { components }, Assets: [asset] };
}

/** White text, which can be read on the color, in light and in dark mode. */
function buttonOf(backgroundColor: string) {
  const state = { backgroundColor, textColor: 'ffffffff' };
  const states = { defaults: state, hover: state, active: state };
  return { lightMode: states, darkMode: states };
}
