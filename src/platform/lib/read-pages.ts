/**
 * Pages of a list, a page in memory at a time: `read` gets the last item of the page before. Ends after a page that is
 * not full; empty pages are left out.
 */
export async function* readPages<Item>(
  limit: number,
  read: (after: Item | undefined) => Promise<Item[]>,
): AsyncGenerator<Item[], void> {
  let page: Item[] = [];
  do {
    page = await read(page.at(-1));
    if (page.length > 0) yield page;
  } while (page.length >= limit);
}
