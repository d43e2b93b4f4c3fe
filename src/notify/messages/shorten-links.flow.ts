import type { Context } from '../../platform/db/context.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { findShortLink, saveShortLinks } from './short-links.db.ts';

/*
 * Links of SMS, `{site}/t/{code}`, which lead to longer links of the same site. The database has the code's hash and the
 * sealed path that it leads to, so neither the database nor an order's id opens a link.
 */

/** Maximum length of an SMS link, if the site's URL leaves room for the shortest code. */
const MAX_LINK_LENGTH = 40;
/** Letters of a code, of 6 bits each: as many as fit, from 66 to 96 bits. */
const CODE_LENGTH = { min: 11, max: 16 };
const CODE = /^[\w-]{11,16}$/;
const KIND = 'short-link';
/** Of another kind than the target, which begins with the signature of its own. */
const CODE_KIND = 'short-link-code';

export type ShortLinkDeps = Context & { tokens: TokenSealer };

/** Returns short links for links of a site, which work from then on. A link that is short already stays. */
export async function shortenLinks(
  { db, clock, tokens }: ShortLinkDeps,
  links: readonly { siteUrl: string; link: string }[],
): Promise<ReadonlyMap<string, string>> {
  const long = links.filter(({ link }) => link.length > MAX_LINK_LENGTH);
  const shortened = long.map(({ siteUrl, link }) => {
    const path = Buffer.from(link.slice(siteUrl.length + 1));
    const base = `${siteUrl}/t/`;
    const length = Math.max(CODE_LENGTH.min, Math.min(CODE_LENGTH.max, MAX_LINK_LENGTH - base.length));
    // Phones leave punctuation at the end out of a link.
    const code = tokens.sign(CODE_KIND, path).slice(0, length).replace(/[-_]$/, 'A');
    return { link, short: base + code, row: { codeHash: sha256(code), target: tokens.sealLink(KIND, path) } };
  });
  const createdAt = clock.now().toString();
  if (shortened.length > 0)
    await saveShortLinks(
      db,
      shortened.map(({ row }) => ({ ...row, createdAt })),
    );
  return new Map(shortened.map(({ link, short }) => [link, short]));
}

/** Returns the short link for a link of a site. */
export async function shortenLink(deps: ShortLinkDeps, siteUrl: string, link: string): Promise<string> {
  return (await shortenLinks(deps, [{ siteUrl, link }])).get(link) ?? link;
}

/** Returns the path, without a slash, that a short link leads to; undefined for a code that no link has. */
export async function openShortLink(
  { db, tokens }: Pick<ShortLinkDeps, 'db' | 'tokens'>,
  code: string,
): Promise<string | undefined> {
  if (!CODE.test(code)) return undefined;
  const target = await findShortLink(db, sha256(code));
  return target && tokens.openLink(KIND, target)?.toString();
}
