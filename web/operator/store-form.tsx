import { useState } from 'preact/hooks';
import { formatOf } from '../../src/platform/languages/format.ts';
import { readRegion, regionName } from '../../src/supply/stores/region.ts';
import { NO_ADDRESS, writeAddress } from '../../src/supply/stores/street-address.ts';
import { Button } from '../button.tsx';
import { WeekEditor } from '../console/week-editor.tsx';
import { Field, Form, Select } from '../field.tsx';
import { type AnswerOf, call, type GeocodedAddress, pathOf, read, type StoreTermsChanges } from './api.ts';
import { useLoad, useRun } from './hooks.ts';
import { DialogFoot, Empty, Fault, Section } from './parts.tsx';
import { lineOfTexts, NEW_STORE, type StoreField, type StoreTexts, textsOfLine } from './store-line.ts';
import { NO_TERMS, TermsFields } from './store-terms.tsx';

/* The form of a store that has no feed. */

const PRECISION_WORDS = {
  rooftop: 'the building',
  street: 'a point of the street',
  postal_code: 'the middle of the postal code',
  city: 'the middle of the city',
} as const;

/** Adds a store without a feed. */
export function NewStoreView() {
  return (
    <>
      <h1>Add a store</h1>
      <StoreForm verb="Add store" />
    </>
  );
}

/** Changes the entered data of a store without a feed. */
export function EditStoreView({ id }: { id: string }) {
  const { data, error } = useLoad('GET /operator/stores/:store_id/profile', { path: { store_id: id } });
  return (
    <>
      <h1>Edit store</h1>
      <Fault>{error}</Fault>
      {data === undefined && !error && <Empty>Loading the store…</Empty>}
      {data && <StoreForm verb="Save" id={id} line={data} />}
    </>
  );
}

/** Inputs for the texts of a store, by name. */
function inputsOf(texts: StoreTexts, set: (changes: Partial<StoreTexts>) => void) {
  const field = (name: StoreField, label: string, more: object = {}) => (
    <Field
      class={`of-${name}`}
      label={label}
      name={name}
      maxLength={200}
      value={texts[name]}
      set={(value) => set({ [name]: value })}
      {...more}
    />
  );
  const number = (name: StoreField, label: string, more: object = {}) =>
    field(name, label, { type: 'number', min: 0, step: 'any', inputmode: 'decimal', ...more });
  const choice = (name: StoreField, label: string, options: Readonly<Record<string, string>>) => (
    <Select
      class={`of-${name}`}
      label={label}
      name={name}
      value={texts[name]}
      set={(value) => set({ [name]: value })}
      options={Object.entries(options)}
    />
  );
  return { field, number, choice };
}

type FormProps = { verb: string; id?: string; line?: AnswerOf<'GET /operator/stores/:store_id/profile'> };

function StoreForm({ verb, id, line }: FormProps) {
  const [texts, setTexts] = useState<StoreTexts>(line ? textsOfLine(line) : NEW_STORE);
  const [terms, setTerms] = useState<StoreTermsChanges>();
  const running = useRun();
  const set = (changes: Partial<StoreTexts>) => setTexts((before) => ({ ...before, ...changes }));
  const submit = () =>
    running.run(async () => {
      const body = lineOfTexts(texts, line);
      const saved =
        id === undefined
          ? await call('POST /operator/stores', { body: { ...body, ...(terms && { terms }) } })
          : await call('POST /operator/stores/:store_id/profile', { path: { store_id: id }, body });
      location.hash = `#/stores/${saved.store_id}`;
    });
  const { field, number, choice } = inputsOf(texts, set);
  const required = { required: true };
  const hasDelivery = texts.delivery !== '';
  return (
    <Form class="store-form" submit={submit}>
      <Section title="Store">
        <div class="fields">
          {field('name', 'Name', { ...required, autofocus: true })}
          {choice('type', 'Kind', { restaurant: 'Restaurant', grocery: 'Grocery or shop' })}
          {field('phone', 'Phone', { type: 'tel' })}
        </div>
      </Section>
      <Section title="Address">
        <div class="fields">
          {field('street_addr', 'Street', required)}
          {field('street_addr_2', 'Unit')}
          {field('city', 'City', required)}
          {field('state', 'State or province', required)}
          {field('zipcode', 'ZIP or postal code', required)}
          {choice('country', 'Country', { US: 'United States', CA: 'Canada' })}
        </div>
        <Lookup texts={texts} choose={set} />
        <div class="fields">
          {number('latitude', 'Latitude', { ...required, min: -90, max: 90 })}
          {number('longitude', 'Longitude', { ...required, min: -180, max: 180 })}
        </div>
      </Section>
      <HoursSection texts={texts} set={set} />
      <Section title="Ordering">
        <div class="fields">
          {choice('pickup', 'Pickup', { on: 'Offered', '': 'Not offered' })}
          {choice('delivery', 'Delivery', {
            first: 'By its own drivers',
            courier: 'By a courier company',
            '': 'Not offered',
          })}
          {hasDelivery && number('radius_miles', 'Delivers within, miles', required)}
          {hasDelivery && number('delivery_fee', 'Delivery fee, $', required)}
          {number('order_minimum', 'Order minimum, $', required)}
          {number('service_fee_percent', 'Service fee, %', required)}
          {number('sales_tax_percent', 'Sales tax, %', { 'aria-describedby': 'tax-hint' })}
          {choice('scheduling', 'Scheduled slots', { '': 'Not offered', on: 'Offered' })}
        </div>
        <p class="remark" id="tax-hint">
          {taxHint(texts)}
        </p>
      </Section>
      {id === undefined && (
        <Section title="Payout terms">
          <TermsFields terms={terms ?? NO_TERMS} set={(changes) => setTerms({ ...terms, ...changes })} />
        </Section>
      )}
      <DialogFoot running={running} verb={verb} onClose={() => history.back()} />
    </Form>
  );
}

/** The week, or OpenStreetMap's syntax in its place, and the minutes until an order is ready. */
function HoursSection({ texts, set }: { texts: StoreTexts; set(changes: Partial<StoreTexts>): void }) {
  const { field, number } = inputsOf(texts, set);
  return (
    <Section title="Hours">
      {texts.hours === '' && (
        <WeekEditor format={formatOf('en', 'US')} week={texts.week} edit={(week) => set({ week })} />
      )}
      <details open={texts.hours !== ''}>
        <summary>OpenStreetMap syntax</summary>
        {field('hours', 'Open', { 'aria-describedby': 'hours-hint' })}
        <p class="remark" id="hours-hint">
          Replaces the days above, for example: Mo-Fr 11:00-21:00; Sa,Su 12:00-23:00; Tu off
        </p>
      </details>
      <div class="fields">
        {number('minutes_from', 'Ready in, minutes from', { required: true, step: 1 })}
        {number('minutes_to', 'to', { required: true, step: 1 })}
      </div>
    </Section>
  );
}

/** The hint below an empty tax rate: the table that then applies, and the taxes that it lacks. */
function taxHint({ state, country: code }: StoreTexts): string {
  const country = code === 'CA' ? 'CA' : 'US';
  const name = state === '' ? 'the state' : (regionName(readRegion(state, country) ?? '', country) ?? state);
  const lacks = ' They lack county and city taxes: enter the whole rate of the address.';
  return `Left blank, the taxes are those of ${name}, by what is sold.${country === 'CA' ? '' : lacks}`;
}

/** Looks the typed address up, and takes the coordinate of the match that the operator chooses. */
function Lookup({ texts, choose }: { texts: StoreTexts; choose(place: Partial<StoreTexts>): void }) {
  const [found, setFound] = useState<GeocodedAddress[]>();
  const running = useRun();
  const { street_addr: street, city, state, zipcode } = texts;
  const address = writeAddress({ ...NO_ADDRESS, streetName: street, city, state, zipcode });
  const take = ({ latitude, longitude }: GeocodedAddress) =>
    choose({ latitude: String(latitude), longitude: String(longitude) });
  const lookUp = () =>
    running.run(async () => {
      const path = pathOf('GET /operator/geocode', { query: { address } });
      const { results } = await read<'GET /operator/geocode'>(path, AbortSignal.timeout(20_000));
      setFound(results);
      if (results[0]) take(results[0]);
    });
  return (
    <div class="lookup">
      <Button
        isBusy={running.isBusy}
        isOff={street === ''}
        onPress={lookUp}
        text={running.isBusy ? 'Looking up…' : 'Look up the address'}
      />
      <Fault>{running.error && `${running.error} You can enter the coordinate below.`}</Fault>
      {found && (
        <fieldset>
          <legend>Which one is it?</legend>
          {found.map((result, index) => (
            <label key={`${result.latitude} ${result.longitude}`} class="option">
              <input type="radio" name="match" defaultChecked={index === 0} onChange={() => take(result)} />
              {result.address} <span class="soft">({PRECISION_WORDS[result.precision]})</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}
