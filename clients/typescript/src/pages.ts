/** The items of a list, read page by page as they are asked for. */
export type Pages<Page, Item> = AsyncIterable<Item> & {
  /** The pages themselves, with their parts other than items. */
  pages(): AsyncIterable<Page>;
  /** Only the first page. */
  first(): Promise<Page>;
};

export type Paging<Page, Item, Cursor> = {
  /** Where the first page is; undefined lets the service decide. */
  start: Cursor | undefined;
  read(cursor: Cursor | undefined): Promise<Page>;
  itemsOf(page: Page): readonly Item[];
  /** Where the next page is; undefined after the last page. */
  nextOf(page: Page): Cursor | undefined;
};

/** Each iteration begins again at the first page, and reads a page when the items of the page before are used up. */
export function pagesOf<Page, Item, Cursor>(paging: Paging<Page, Item, Cursor>): Pages<Page, Item> {
  const { start, read, itemsOf, nextOf } = paging;
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let cursor = start;
    do {
      const page = await read(cursor);
      yield page;
      cursor = nextOf(page);
    } while (cursor !== undefined);
  }
  return {
    pages,
    first: () => read(start),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf(page);
    },
  };
}
