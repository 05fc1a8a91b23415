import type { Page } from 'playwright-core';

/** The words of up to fourteen letters that stand on more than one line, apart from ids and addresses, which may break. */
export async function brokenWords(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const broken = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest('.break') !== null || node.parentElement.getClientRects().length === 0) continue;
      for (const { 0: word, index } of node.data.matchAll(/(?<=^|\\s)[^\\s…][^\\s]{1,13}(?=\\s|$)/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push(word);
      }
    }
    return broken;
  })()`);
}
