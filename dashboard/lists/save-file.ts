/** Lets the browser save what the page has made itself. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Safari reads it only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
