import * as v from 'valibot';
import type { PageLook } from '#local/login-pages.ts';
import type { StoredClient } from './stand-in-pool.ts';

const colorSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/));
const buttonSchema = v.object({ lightMode: v.object({ defaults: v.object({ backgroundColor: colorSchema }) }) });
const styleSchema = v.object({
  Settings: v.optional(v.object({ components: v.object({ primaryButton: v.optional(buttonSchema) }) })),
  Assets: v.array(v.object({ Category: v.string(), Extension: v.string(), Bytes: v.pipe(v.string(), v.base64()) })),
});

/** Media types of the kinds of images that Cognito takes. */
const imageTypes: Readonly<Record<string, string>> = {
  PNG: 'image/png',
  SVG: 'image/svg+xml',
  JPEG: 'image/jpeg',
  WEBP: 'image/webp',
};

/** How managed login would show a client: the color of its buttons, and the image above its form. */
export function lookOf(client: StoredClient | undefined): PageLook {
  const { success, output } = v.safeParse(styleSchema, client?.style);
  if (!success) return {};
  const color = output.Settings?.components.primaryButton?.lightMode.defaults.backgroundColor;
  const image = output.Assets.find(({ Category, Extension }) => Category === 'FORM_LOGO' && Extension in imageTypes);
  return {
    color: color && `#${color.slice(0, 6)}`,
    logo: image && `data:${imageTypes[image.Extension]};base64,${image.Bytes}`,
  };
}
