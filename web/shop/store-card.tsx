import { type Format, momentAt } from '../../src/platform/languages/format.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { sourcesOf } from '../photo.ts';
import type { FoundStore } from './api.ts';
import type { ShopBoot } from './boot.ts';
import { useShop } from './shop-context.ts';

/* A store as the shop's lists and its own page show it: picture, rating, minutes, opening time, offers. */

const { list } = words;
const MAX_CUISINES = 3;

type StoreCardProps = {
  store: FoundStore;
  /** Whether its picture is in sight when the page opens. */
  isFirst: boolean;
  isDelivery: boolean;
};

/** A store in a list: picture, name, rating, cuisines, and minutes and fee where the place is known. */
export function StoreCard({ store, isFirst, isDelivery }: StoreCardProps) {
  const { boot, pathOfStore, formatFor } = useShop();
  const format = formatFor(store.address.country);
  const picture = pictureOf(store);
  const opening = openingText(store, format, boot.nowEpochS);
  const { weighted_rating_value: rating, miles, time_estimate: estimate, delivery_fee: fee, cuisines } = store;
  return (
    <li class="store-card" data-closed={opening !== undefined}>
      <span class="picture">
        {picture ? (
          <img
            {...sourcesOf(picture, '(min-width: 40rem) 400px, 100vw')}
            alt=""
            width="400"
            height="225"
            loading={isFirst ? 'eager' : 'lazy'}
            decoding="async"
            referrerpolicy="no-referrer"
          />
        ) : (
          <b aria-hidden="true">{store.name.slice(0, 1)}</b>
        )}
        {opening && <span class="opens tag">{opening}</span>}
      </span>
      <h3>
        <a href={pathOfStore(store)}>{store.name}</a>
      </h3>
      {store.offers?.[0] && <p class="offer">{offerTexts(store, format, boot)[0]}</p>}
      {rating !== undefined && <Stars rating={rating} count={store.aggregated_rating_count} format={format} />}
      <p class="about">
        {estimate && <b>{list.minutes({ from: estimate.minimum, to: estimate.maximum })}</b>}
        {isDelivery && fee && <span>{feeText(fee, format)}</span>}
        {miles !== undefined && <span>{format.distance(miles)}</span>}
        {store.address.street_addr && <span>{store.address.street_addr}</span>}
        {cuisines.length > 0 && <span>{cuisines.slice(0, MAX_CUISINES).join(', ')}</span>}
      </p>
    </li>
  );
}

export function Stars({ rating, count, format }: { rating: number; count: number | undefined; format: Format }) {
  const value = format.number(rating, 1);
  return (
    <span class="stars">
      <span aria-hidden="true">★ {value}</span>
      <span class="unseen">
        {count === undefined ? list.ratingAlone({ value }) : list.rating({ value, count: format.number(count) })}
      </span>
    </span>
  );
}

/** The wide picture above a page. */
export const CoverImage = ({ source }: { source: string }) => (
  <img
    {...sourcesOf(source, '100vw')}
    alt=""
    width="1200"
    height="400"
    fetchpriority="high"
    referrerpolicy="no-referrer"
  />
);

/** The picture of a store; undefined for an address that is none of the web. */
export function pictureOf({ store_photos, food_photos, logo_photos }: FoundStore): string | undefined {
  return webPicture([...store_photos, ...food_photos, ...logo_photos]);
}

export const webPicture = (urls: readonly string[]) => urls.find((url) => /^(https?:\/)?\//i.test(url));

/** The offers of a store in the page's language, each with its code and its end. */
export function offerTexts({ offers = [], time_zone: zone }: FoundStore, format: Format, boot: ShopBoot): string[] {
  const { language, nowEpochS } = boot;
  return offers.map(({ text, translations, code, ends_at: ends }) =>
    [
      (language !== 'en' && translations?.[language]) || text,
      code !== undefined && list.offerCode({ code }),
      ends !== null && list.offerEnds({ moment: format.moment(momentAt(ends), zone, momentAt(nowEpochS)) }),
    ]
      .filter((part) => typeof part === 'string')
      .join(' · '),
  );
}

export function feeText(fee: NonNullable<FoundStore['delivery_fee']>, format: Format): string {
  const { delivery_fee_flat: cents, delivery_fee_percent: percent } = fee;
  if (cents === 0 && percent === 0) return list.free;
  const parts = [cents > 0 && format.money(cents), percent > 0 && format.percent(percent)];
  return list.fee({ fee: parts.filter((part) => part !== false).join(' + ') });
}

/** Why a store takes no order now, with when it opens; undefined for an accepting one. */
export function openingText(store: FoundStore, format: Format, nowEpochS: number): string | undefined {
  const { is_open: isOpen, opens_at: opensAt, accepts_orders: acceptsOrders, time_zone: timeZone } = store;
  if (isOpen) return acceptsOrders ? undefined : list.busyNow;
  return opensAt === null ? list.closed : opensText(opensAt, format, timeZone, nowEpochS);
}

export function opensText(atEpochS: number, format: Format, timeZone: string, nowEpochS: number): string {
  const [at, now] = [{ epochMilliseconds: atEpochS * 1000 }, { epochMilliseconds: nowEpochS * 1000 }];
  const isToday = format.day(at, timeZone) === format.day(now, timeZone);
  return (isToday ? list.opensAt : list.opensOn)({ moment: format.moment(at, timeZone, now) });
}
