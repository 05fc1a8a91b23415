/** Makes the browser save a file that the page created. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // Safari reads the file only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
