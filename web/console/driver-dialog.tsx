import { useState } from 'preact/hooks';
import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { Dialog } from '../dialog.tsx';
import { Button } from './button.tsx';
import { keep, readKept } from './local-storage.ts';
import { Alert } from './notices.tsx';
import { phoneInWords } from './order-words.ts';
import type { Steps } from './use-step.ts';

const KEPT = 'drivers';
const MAX_KEPT = 4;
const VEHICLES = ['car', 'bicycle', 'motorcycle', 'scooter', 'on foot'];

type Driver = { name: string; phone: number; vehicle_type: string };
type Props = { order: StoreOrder; steps: Steps; close: () => void };

/** Digits of a phone number with its country code; a number of ten digits is American. */
function digitsOf(text: string): number | undefined {
  const digits = text.replaceAll(/\D/g, '');
  if (digits.length === 10) return Number(`1${digits}`);
  return digits.length >= 8 && digits.length <= 15 ? Number(digits) : undefined;
}

/** Gives a delivery to a driver of the store; the last drivers of this tablet are one tap away. */
export function DriverDialog({ order, steps, close }: Props) {
  const recent = readKept<readonly Driver[]>(KEPT, []);
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const [vehicle, setVehicle] = useState('car');
  const digits = digitsOf(phone);

  async function assign(driver: Driver): Promise<void> {
    const taken = await steps.take('assign_driver', driver);
    if (!taken) return;
    keep(KEPT, [driver, ...recent.filter((other) => other.phone !== driver.phone)].slice(0, MAX_KEPT));
    close();
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (digits !== undefined) void assign({ name: name.trim(), phone: digits, vehicle_type: vehicle });
  }

  const isBusy = steps.busy === 'assign_driver';
  return (
    <Dialog title={`Who brings order ${order.order_number}?`} close={close}>
      {recent.length > 0 && (
        <div class="choices">
          {recent.map((driver) => (
            <Button key={driver.phone} isBusy={isBusy} onPress={() => assign(driver)}>
              <span class="two-lines">
                <strong>{driver.name}</strong>
                <span>
                  {phoneInWords(driver.phone)}, {driver.vehicle_type}
                </span>
              </span>
            </Button>
          ))}
        </div>
      )}
      <form onSubmit={submit}>
        <div class="fields">
          <label class="field">
            Name
            <input
              type="text"
              maxLength={100}
              autocomplete="off"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </label>
          <label class="field">
            Phone
            <input
              type="tel"
              autocomplete="off"
              value={phone}
              onInput={({ currentTarget }) => setPhone(currentTarget.value)}
            />
          </label>
          <label class="field">
            By
            <select value={vehicle} onChange={({ currentTarget }) => setVehicle(currentTarget.value)}>
              {VEHICLES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        <Alert text={steps.error} />
        <div class="buttons">
          <Button onPress={close}>Back</Button>
          <Button kind="primary" submit isOff={name.trim() === '' || digits === undefined} isBusy={isBusy}>
            {isBusy ? 'Assigning…' : 'Assign'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
