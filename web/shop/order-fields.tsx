import { useState } from 'preact/hooks';
import type { FullQuote, Slot } from '../../clients/typescript/src/api-types.ts';
import { DROP_OFF_PLACES, type DropOff } from '../../src/ordering/order/order.ts';
import { type Format, momentAt } from '../../src/platform/languages/format.ts';
import { namesDoor, readStreet, type StreetAddress, writeStreet } from '../../src/supply/stores/street-address.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { Check, Field, Select } from '../field.tsx';
import type { FoundStore } from './api.ts';
import type { Cart, OrderTerms } from './cart.ts';
import { setCart } from './cart-view.tsx';
import { DEVICE_ZONE } from './device.ts';
import { isWhole, KEPT_DOOR, storeStreet } from './door.ts';
import { changeKept } from './kept-state.ts';
import { Plain } from './sheet.tsx';
import { type OpenStore, useStore } from './store-context.ts';

/* Where, when and how an order is handed off. */

const { cart: say, store: storeWords, list } = words;

export function OrderFields({ cart, parts }: { cart: Cart; parts: StreetAddress }) {
  const { store, settings, pickup, menu } = useStore();
  return (
    <>
      <h3>{pickup ? say.pickUpAt : say.deliverTo}</h3>
      {pickup ? <p>{storeStreet(store.address)}</p> : <DoorFields place={settings.place} parts={parts} />}
      <Field
        class="entry"
        label={pickup ? say.pickupNotes : say.dropoffNotes}
        maxLength={500}
        value={cart.notes}
        set={(notes) => setCart({ notes })}
      />
      <DropOffFields dropOff={cart.dropOff} pickup={pickup} />
      {menu.quote && <When quote={menu.quote} slotId={cart.slotId} set={(slotId) => setCart({ slotId })} />}
      <Select
        class="entry"
        label={say.substitution}
        value={cart.substitution}
        set={(substitution) => setCart({ substitution })}
        options={[
          ['store_choice', say.storeChoice],
          ['refund', say.refund],
        ]}
      />
    </>
  );
}

/** Where a delivery is handed off, with utensils or without, and whether only for the code. */
function DropOffFields({ dropOff = HAND_TO_ME, pickup }: { dropOff: DropOff | undefined; pickup: boolean }) {
  const { dropOff: says } = words;
  const set = (change: Partial<DropOff>) => setCart({ dropOff: { ...dropOff, ...change } });
  return (
    <fieldset class="entry">
      <legend class="unseen">{says.title}</legend>
      {!pickup && (
        <Select
          class="entry"
          label={says.title}
          value={dropOff.where}
          set={(where) => set({ where })}
          options={DROP_OFF_PLACES.map((place) => [place, says.where[place]] as const)}
        />
      )}
      <Check label={says.utensils} isOn={dropOff.utensils} set={(utensils) => set({ utensils })} />
      <Check label={says.wantsCode} isOn={dropOff.code} set={(code) => set({ code })} />
    </fieldset>
  );
}

const HAND_TO_ME: DropOff = { where: 'hand_to_me', utensils: false, code: false };

/** The address, and fields for the driver's details; for the whole address where the device's position found it. */
function DoorFields({ place, parts }: Pick<OrderTerms, 'place' | 'parts'>) {
  const { open } = useStore();
  const address = place?.address;
  const set = (change: Partial<StreetAddress>) => {
    if (address !== undefined) changeKept(KEPT_DOOR, () => ({ address, parts: { ...parts, ...change } }));
  };
  const [isIncomplete] = useState(!isWhole(parts));
  const isOpen = isIncomplete || place?.isDevice === true;
  const fields = FIELDS.filter(([name]) => isOpen || name === 'aptNum');
  const isMissing = (name: (typeof FIELDS)[number][0]) =>
    name === 'streetName' ? !namesDoor(parts) : name !== 'aptNum' && parts[name].trim() === '';
  return (
    <>
      <p class="line">
        <span>{address}</span>{' '}
        <Plain onClick={() => open('address')}>
          {address === undefined ? storeWords.enterAddress : storeWords.changeAddress}
        </Plain>
      </p>
      {address !== undefined &&
        fields.map(([name, label, autocomplete]) => (
          <Field
            key={`${name} ${address}`}
            class="entry"
            label={label}
            maxLength={100}
            defaultValue={name === 'streetName' ? writeStreet(parts) : parts[name]}
            autocomplete={autocomplete}
            refusal={isMissing(name) ? say.incomplete : ''}
            onChange={({ currentTarget: { value } }) =>
              set(name === 'streetName' ? readStreet(value) : { [name]: value.trim() })
            }
          />
        ))}
    </>
  );
}

/** Number and street are one field. */
const FIELDS = [
  ['streetName', say.street, 'address-line1'],
  ['aptNum', say.apt, 'address-line2'],
  ['city', say.city, 'address-level2'],
  ['state', say.state, 'address-level1'],
  ['zipcode', say.zip, 'postal-code'],
] as const;

const zoneOf = ({ time_zone: zone }: FoundStore) => [zone, DEVICE_ZONE] as const;

/** The day of a slot, and its time. */
function slotTexts({ minimum, maximum }: Slot, format: Format, store: FoundStore): [day: string, time: string] {
  const [start, end] = [momentAt(minimum), momentAt(maximum)];
  const day = format.nearDay(start, zoneOf(store), { epochMilliseconds: Date.now() });
  return [day, format.range(start, end, zoneOf(store), start)];
}

/** When an order is wanted: now, with its minutes, or in a slot. */
export function whenText({ time_estimate: estimate }: FullQuote, slotId: string, { store, format }: OpenStore): string {
  const slot = estimate.scheduled.find(({ id }) => id === slotId);
  if (slot) return slotTexts(slot, format, store).join(', ');
  return `${storeWords.now} · ${list.minutes({ from: estimate.minimum, to: estimate.maximum })}`;
}

type WhenProps = { quote: FullQuote; slotId: string; set: (slotId: string) => void };

/** As soon as possible, or a slot of a day. */
export function When({ quote, slotId, set }: WhenProps) {
  const { asap_available: isAsap, time_estimate: estimate } = quote;
  const { format, store } = useStore();
  const dayOf = (slot: Slot) => slotTexts(slot, format, store)[0];
  const days = Map.groupBy(estimate.scheduled, dayOf);
  const chosen = estimate.scheduled.find(({ id }) => id === slotId);
  const day = chosen && dayOf(chosen);
  const minutes = list.minutes({ from: estimate.minimum, to: estimate.maximum });
  return (
    <div class="when">
      <Select
        class="entry"
        label={say.when}
        value={day}
        set={(name) => set(days.get(name)?.[0]?.id ?? '')}
        options={[
          ['', isAsap ? say.asapIn({ minutes }) : say.day],
          ...[...days.keys()].map((name) => [name, name] as const),
        ]}
      />
      {day !== undefined && (
        <Select
          class="entry"
          label={say.time}
          value={slotId}
          set={set}
          options={(days.get(day) ?? []).map((slot) => [slot.id, slotTexts(slot, format, store)[1]] as const)}
        />
      )}
    </div>
  );
}
