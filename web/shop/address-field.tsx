import { useId, useState } from 'preact/hooks';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import { Form } from '../field.tsx';
import type { ShopApi } from './api.ts';
import type { Near } from './boot.ts';
import { isAreaOf, placeOf, placeOfDevice } from './door.ts';
import { Plain } from './sheet.tsx';
import { useShop } from './shop-context.ts';

/* The delivery address of a visit: suggestions while typing, the device's position, and a saved choice. */

const { list, store, frame } = words;
const MAX_ADDRESS = 200;

/** The visitor's place: typed and chosen from the geocoder's results, or the device's own. */
export function AddressField({ onPlace, place }: { onPlace: (place: Near) => void; place: Near | null }) {
  const { api, boot } = useShop();
  // A sandbox finds only its own stores' addresses.
  const example = boot.isSandbox && place === null && boot.page.kind === 'list' ? boot.page.near : null;
  const id = useId();
  const [fault, setFault] = useState('');
  const [matches, setMatches] = useState<readonly Near[]>([]);
  const [isBusy, setBusy] = useState(false);
  const saved = boot.customer?.addresses ?? [];
  const refuse = (text: string) => {
    setFault(text);
    document.getElementById(id)?.focus();
  };

  async function find(address: string): Promise<void> {
    if (isBusy) return;
    if (address === '') return refuse(store.enterAddress);
    setBusy(true);
    setFault('');
    setMatches([]);
    try {
      const { results } = await api.addresses.geocode(address);
      // A live delivery to the middle of an area would be to no door.
      const found = boot.isSandbox ? results : results.filter((match) => !isAreaOf(address, match));
      const places = found.map((match) => placeOf(address, match));
      const [best] = places;
      if (!best) refuse(list.notFound);
      else if (places.length === 1) onPlace(best);
      else setMatches(places);
    } catch (error) {
      refuse(faultOf(error));
    }
    setBusy(false);
  }

  return (
    <Form class="address-form" submit={(fields) => find(String(fields.get('address')).trim())}>
      <label for={id}>{list.address}</label>
      <div class="address-line">
        <input
          id={id}
          name="address"
          autocomplete="address-line1"
          enterkeyhint="search"
          maxLength={MAX_ADDRESS}
          placeholder={list.addressHint}
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-fault`}
          defaultValue={place?.address}
          autofocus={place !== null}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="submit" class="main" aria-busy={isBusy}>
          {place === null && boot.page.kind === 'list' ? list.find : list.use}
        </button>
      </div>
      <p id={`${id}-fault`} class="fault" role="alert">
        {fault}
      </p>
      {matches.length > 0 && <Matches legend={list.choose} matches={matches} onPlace={onPlace} />}
      {saved.length > 0 && matches.length === 0 && <Matches legend={list.saved} matches={saved} onPlace={onPlace} />}
      {!boot.isTaken && <Plain onClick={() => locate(api, onPlace, refuse)}>{list.useDevice}</Plain>}
      {example && <Plain onClick={() => onPlace(example)}>{list.tryNear({ address: example.address })}</Plain>}
    </Form>
  );
}

/** Takes the device's position, with its address where one is found. */
function locate(api: ShopApi, onPlace: (place: Near) => void, refuse: (fault: string) => void): void {
  navigator.geolocation.getCurrentPosition(
    async ({ coords: { latitude, longitude } }) => {
      const at = { latitude, longitude };
      const found = await api.addresses.reverseGeocode(at).catch(() => undefined);
      onPlace(placeOfDevice(at, found?.results[0], list.here));
    },
    () => refuse(list.deviceRefused),
    { timeout: 15_000, maximumAge: 300_000 },
  );
}

type MatchesProps = { legend: string; matches: readonly Near[]; onPlace: (place: Near) => void };

function Matches({ legend, matches, onPlace }: MatchesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <ul class="matches">
        {matches.map((match) => (
          <li key={match.address}>
            <Plain onClick={() => onPlace(match)}>{match.address}</Plain>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof DoorstepError)) return frame.failed;
  if (error.code === 'rate_limited') return frame.busy;
  if (error.code === 'geocoder_not_configured') return list.noLookup;
  return error.status < 500 ? list.notFound : frame.failed;
}
