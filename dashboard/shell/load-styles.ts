/** What the build has two style sheets for: the first page, and the parts that are loaded after it. */
type Sheet = 'start' | 'parts';

const loading = new Map<Sheet, Promise<void>>();

/**
 * Adds a style sheet of the build, once; rejects if it cannot be loaded, and the next call tries again. While developing, the
 * scripts bring their styles.
 */
export function loadStyles(sheet: Sheet): Promise<void> {
  const known = loading.get(sheet) ?? addStyles(sheet);
  loading.set(sheet, known);
  known.catch(() => loading.delete(sheet));
  return known;
}

async function addStyles(sheet: Sheet): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>(`meta[name="${sheet}-styles"]`)?.content;
  if (href === undefined) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  link.onload = () => resolve();
  link.onerror = () => {
    link.remove();
    reject(new Error(`${href} could not be loaded`));
  };
  document.head.append(link);
  await promise;
}
