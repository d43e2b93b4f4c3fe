import { feedId } from '../source-ids.ts';

/** Where documents come from: the site that the operator names, or else the file that they lie in. */
export type Publisher = { site: URL } | { file: string };

/** The publisher of a document, and how a store of it is known. */
export type KnownStore = { id: string; isOwn: boolean };

const ABSOLUTE = /^[a-z][a-z\d+.-]{1,20}:/i;

/**
 * The id of a store of a document (docs/feeds.md#ids-of-a-page). An `@id` is the word of a page, and any page may write the
 * `@id` of another site's store. So it counts by itself on its own site alone, which the operator names; any other id is
 * one of its publisher, and meets no store of another.
 */
export function pageStoreId(lasting: string | null, place: readonly string[], publisher: Publisher): KnownStore {
  const isAbsolute = lasting !== null && ABSOLUTE.test(lasting);
  if (isAbsolute && 'site' in publisher && isOfSite(lasting, publisher.site))
    return { id: feedId(lasting), isOwn: true };
  // A relative or blank `@id` changes when a page is written anew; the name and the address do not.
  const named = isAbsolute ? lasting : place.filter((part) => part !== '').join(', ');
  if (named === '') return { id: '', isOwn: true };
  const owner = 'site' in publisher ? publisher.site.host : publisher.file;
  return { id: feedId(`${owner} ${named}`), isOwn: !(isAbsolute && 'site' in publisher) };
}

/** The same host, by http or https: no other site answers there. */
function isOfSite(id: string, site: URL): boolean {
  const url = URL.parse(id);
  return url !== null && /^https?:$/.test(url.protocol) && url.host === site.host && url.username === '';
}
