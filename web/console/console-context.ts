import { type Format, type FormatCountry, formatOf } from '../../src/platform/languages/format.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import { type Api, createApi } from './api.ts';
import { createSeconds, type Seconds } from './hooks.ts';
import { type StoreClock, storeClock } from './store-clock.ts';

/** Data embedded in the page: the store, and the service's clock, because a tablet's clock may be wrong. */
export type ConsoleContext = {
  api: Api;
  /** Base path of the service, without a trailing slash. */
  base: string;
  storeName: string;
  clock: StoreClock;
  /** Number and date formats of the page's language and the store's country. */
  format: Format;
  language: Language;
  /** The page of an order's ticket. */
  ticketPath(orderId: string): string;
  /** The account's name whose sandbox orders the page shows; undefined for live orders. */
  sandbox: string | undefined;
  /** The name of the staff member who is signed in; undefined for the owner. */
  staff: string | undefined;
  /** Whether the store takes orders for customers here. */
  takesOrders: boolean;
  /** Whether who is signed in may refund orders. */
  refunds: boolean;
  /** URL of the console; the sandbox has its own. */
  home: string;
  /** Whether the page shows one order by its link, and nothing else of the store. */
  isLinked: boolean;
  /** The service's time in epoch seconds. */
  now(): number;
  seconds: Seconds;
  /** Moves the clock forward to a time that the service has recorded. */
  hasPassed(epochS: number): void;
  /** Sets the clock by a newer page of the service. */
  setNow(epochS: number): void;
};

const LINK_PAGE = '/console/order/';

export function createConsoleContext(data: DOMStringMap): ConsoleContext {
  const { base = '', store = '', zone = 'UTC', country = 'US', now = '', sandbox, staff, takesOrders, refunds } = data;
  const link = location.pathname.startsWith(base + LINK_PAGE)
    ? decodeURIComponent(location.pathname.slice((base + LINK_PAGE).length)).replace(/\/$/, '')
    : undefined;
  const offsetOf = (epochS: number) => epochS * 1000 - Date.now();
  let offsetMs = offsetOf(Number(now));
  const language = document.documentElement.lang as Language;
  const format = formatOf(language, country as FormatCountry);
  return {
    api: createApi(base, link === undefined ? {} : { 'id-token': `ds_link_${link}` }),
    base,
    storeName: store,
    sandbox,
    staff,
    takesOrders: takesOrders !== undefined,
    refunds: refunds !== undefined,
    home: `${base}/console${sandbox === undefined ? '' : '?sandbox'}`,
    clock: storeClock(zone, format),
    format,
    language,
    isLinked: link !== undefined,
    ticketPath: (orderId) =>
      link === undefined
        ? `${base}/console/orders/${encodeURIComponent(orderId)}/ticket`
        : `${base}${LINK_PAGE}${encodeURIComponent(link)}/ticket`,
    now: () => (Date.now() + offsetMs) / 1000,
    seconds: createSeconds(),
    hasPassed(epochS) {
      offsetMs = Math.max(offsetMs, offsetOf(epochS));
    },
    setNow(epochS) {
      offsetMs = offsetOf(epochS);
    },
  };
}
