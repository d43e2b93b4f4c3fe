import { Fragment } from 'preact';
import { mapAppOf, mapUrl } from '../../src/fulfillment/deliveries/map-link.ts';
import type { Format } from '../../src/platform/languages/format.ts';
import { dialUrl, phoneOnOneLine } from '../../src/platform/lib/phone.ts';
import { WEEKDAYS } from '../../src/supply/stores/hours.ts';
import { NO_ADDRESS, writeAddress } from '../../src/supply/stores/street-address.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import type { FoundStore } from './api.ts';
import { Sheet } from './sheet.tsx';
import { openingText } from './store-card.tsx';
import { useStore } from './store-context.ts';

const { store: say, list } = words;

/** A store's description and location: words of its own, address with directions, phone, hours of the week. */
export function StoreInfo() {
  const { store, format, close } = useStore();
  const { address, local_hours: hours } = store;
  const { street_addr: streetName, city, state, zipcode } = address;
  const today = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: store.time_zone }).format();
  return (
    <Sheet title={store.name} close={close}>
      <div class="info">
        {store.closed_reason === 'exception' && (
          <p class="notice">
            {say.otherHours} {openingText(store, format, Date.now() / 1000)}
          </p>
        )}
        <p>{store.description}</p>
        <HolidayNotes store={store} format={format} />
        <h3>{say.address}</h3>
        <p>{writeAddress({ ...NO_ADDRESS, streetName, city, state, zipcode })}</p>
        <p class="about">
          <StoreLinks store={store} />
        </p>
        <h3>{say.hours}</h3>
        <dl>
          {WEEKDAYS.map((day, nth) => (
            <Fragment key={day}>
              <dt class={day === today ? 'today' : undefined}>{format.weekday(nth)}</dt>
              <dd class={day === today ? 'today' : undefined}>{hoursText(hours.operational[day], format)}</dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </Sheet>
  );
}

/** Directions to a store, in the map app of the device, and its phone. */
export function StoreLinks({ store }: { store: FoundStore }) {
  const { address, phone_number: phone, phone_extension: extension } = store;
  return (
    <>
      <span>
        <a
          href={mapUrl('google', address)}
          onClick={({ currentTarget: link }) => {
            link.href = mapUrl(mapAppOf(navigator.userAgent), address);
          }}
          target="_blank"
          rel="noreferrer"
        >
          {say.directions}
        </a>
      </span>
      {phone !== undefined && (
        <span>
          <a href={dialUrl(phone)}>{phoneOnOneLine(phone, extension)}</a>
        </span>
      )}
    </>
  );
}

/** Coming dates when the store is closed or has other hours. */
export function HolidayNotes({ store, format }: { store: FoundStore; format: Format }) {
  return (store.hours_exceptions ?? []).map(({ from, to, hours: text }) => {
    const [first, last] = [from, to].map((date) => format.day({ epochMilliseconds: Date.parse(date) }, 'UTC'));
    const days = first === last ? `${first}` : `${first} – ${last}`;
    const note = text === 'Closed' ? say.closedOn({ days }) : say.hoursOn({ days, hours: hoursText(text, format) });
    return (
      <p key={from} class="hint">
        <b>{note}</b>
      </p>
    );
  });
}

/** `07:00AM - 10:00PM` as the language writes it. */
function hoursText(text: string, format: Format): string {
  if (text === 'Closed') return list.closed;
  if (text === 'Open 24 hours') return say.allDay;
  return text.replace(/(\d\d):(\d\d)(A|P)M/g, (_, hour, minute, half) => {
    const at = Date.UTC(2000, 0, 1, (Number(hour) % 12) + (half === 'P' ? 12 : 0), Number(minute));
    return format.time({ epochMilliseconds: at }, 'UTC');
  });
}
