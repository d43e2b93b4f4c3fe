import { useId, useState } from 'preact/hooks';
import { DoorstepError } from '../../clients/typescript/src/errors.ts';
import { shop as words } from '../../src/texts/en/shop.ts';
import type { Near } from './boot.ts';
import { placeOf } from './door.ts';
import { useShop } from './shop-context.ts';

const { list, frame } = words;
const MAX_ADDRESS = 200;

/** The visitor's place: typed and chosen of what the geocoder finds, or the device's own. */
export function AddressField({ onPlace, isFirst }: { onPlace: (place: Near) => void; isFirst: boolean }) {
  const { api } = useShop();
  const id = useId();
  const [fault, setFault] = useState('');
  const [matches, setMatches] = useState<readonly Near[]>([]);
  const [isBusy, setBusy] = useState(false);

  async function find(address: string): Promise<void> {
    if (address === '' || isBusy) return;
    setBusy(true);
    setFault('');
    setMatches([]);
    try {
      const { results } = await api.addresses.geocode(address);
      const places = results.map((match) => placeOf(address, match));
      const [best] = places;
      if (best && places.length === 1) onPlace(best);
      else setMatches(places);
    } catch (error) {
      setFault(faultOf(error));
    }
    setBusy(false);
  }

  function useDevice(): void {
    setFault('');
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => onPlace({ address: list.here, latitude, longitude }),
      () => setFault(list.deviceRefused),
      { timeout: 15_000, maximumAge: 300_000 },
    );
  }

  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        find(String(new FormData(event.currentTarget).get('address')).trim());
      }}
    >
      <label for={id}>{list.address}</label>
      <div class="address-line">
        <input
          id={id}
          name="address"
          autocomplete="street-address"
          enterkeyhint="search"
          maxLength={MAX_ADDRESS}
          placeholder={list.addressHint}
          aria-invalid={fault !== ''}
          aria-describedby={`${id}-fault`}
          autofocus={!isFirst}
        />
        <button type="submit" class="main" aria-busy={isBusy}>
          {list.find}
        </button>
      </div>
      <p id={`${id}-fault`} class="fault" role="alert">
        {fault}
      </p>
      {matches.length > 0 && (
        <fieldset>
          <legend>{list.choose}</legend>
          <ul class="matches">
            {matches.map((match) => (
              <li key={match.address}>
                <button type="button" class="plain" onClick={() => onPlace(match)}>
                  {match.address}
                </button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <button type="button" class="plain" onClick={useDevice}>
        {list.useDevice}
      </button>
    </form>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof DoorstepError)) return frame.failed;
  if (error.code === 'rate_limited') return frame.busy;
  return error.status < 500 ? list.notFound : frame.failed;
}
