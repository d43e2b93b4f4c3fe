/**
 * Reads a list page by page: `read` gets the last item of the previous page. Ends after a partial page; yields
 * no empty page.
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
