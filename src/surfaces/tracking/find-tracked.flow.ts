import { type Static, Type } from 'typebox';
import type { Branding } from '../../access/accounts/branding.ts';
import { findBranding, findBrandingByHost } from '../../access/accounts/brandings.db.ts';
import { isTrackingKey } from '../../access/accounts/tracking-sites.cache.ts';
import type { Db } from '../../platform/db/connect.ts';
import { type Locale, localeOf } from '../../platform/languages/catalogs.ts';
import { parseLanguage } from '../../platform/languages/language.ts';
import { LANG, pageLanguage } from '../../platform/languages/page-language.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { hostNameOf } from './brand.ts';
import type { TrackedOrder, Visitor } from './tracked-order.ts';
import { findTrackedOrder } from './tracked-orders.db.ts';

/** The query of a tracking link, repeated in the form of the cancel page. */
export const LinkSchema = Type.Object({
  tracking_id: Type.Optional(Type.String({ description: 'An order_id.' })),
  key: Type.Optional(
    Type.String({
      description: 'From `tracking_link`: lets the customer cancel. Without it the page is read-only.',
    }),
  ),
  ...LANG,
});
type SentLink = Static<typeof LinkSchema>;

/** The result of a visit, with the branding of an account's own host and the order of the link. */
export type Visit = Visitor & {
  branding: Branding | undefined;
  tracked: TrackedOrder | undefined;
  /** The locale of the page, by the language chosen on it, or else the order's, the browser's or the account's. */
  locale: Locale;
  isOwnHost: boolean;
};

const ORDER_ID = /^[\w-]{1,64}$/;

/**
 * Finds the order of a link. An account's own host shows only that account's orders; every other host shows every order
 * with the branding of its account.
 */
export async function findTracked(
  { db, tokens }: { db: Db; tokens: TokenSealer },
  { host, 'accept-language': accepted }: { host?: string | undefined; 'accept-language'?: string | undefined },
  { tracking_id: orderId, key: sentKey, lang }: SentLink,
): Promise<Visit> {
  const name = hostNameOf(host);
  const own = name === '' ? undefined : await findBrandingByHost(db, name);
  const found = orderId && ORDER_ID.test(orderId) ? await findTrackedOrder(db, orderId) : undefined;
  const tracked = own && found?.order.accountId !== own.accountId ? undefined : found;
  const branding = own ?? (tracked && (await findBranding(db, tracked.order.accountId)));
  const isCustomer = tracked && sentKey && isTrackingKey(tokens, tracked.order.orderId, sentKey);
  const tags = [lang, tracked?.order.request.customer.language];
  const language = pageLanguage(tags, accepted, branding?.language);
  return {
    branding,
    tracked,
    key: isCustomer ? sentKey : null,
    lang: parseLanguage(lang),
    locale: localeOf(language, tracked?.order.quote.store.country ?? 'US'),
    isOwnHost: own !== undefined,
  };
}
