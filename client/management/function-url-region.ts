/** The AWS Region in the host of a function URL; undefined for another host. */
export function regionOfFunctionUrl(url: string): string | undefined {
  return /\.lambda-url\.([a-z0-9-]+)\./.exec(new URL(url).hostname)?.[1];
}
