import { useEffect, useState } from 'preact/hooks';
import { listen } from '../listen.ts';
import { type Kept, keep, readKept } from './device.ts';

/*
 * State that the device keeps and several tabs share. A change applies to the latest kept value, so that two tabs lose
 * nothing of each other; every tab shows it.
 */

const CHANGED = 'doorstep.kept';

/** Replaces a kept value by what `change` makes of it; undefined removes it. */
export function changeKept<Value>(kept: Kept<Value>, change: (value: Value | undefined) => Value | undefined): void {
  keep(kept, change(readKept(kept)));
  window.dispatchEvent(new Event(CHANGED));
}

/** The kept value from any tab that changes it. Undefined in the first rendering, which is the server's. */
export function useKept<Value>(kept: Kept<Value>): Value | undefined {
  const [value, setValue] = useState<Value | undefined>(undefined);
  useEffect(() => {
    let shown = '';
    const update = () => {
      const now = readKept(kept);
      const text = JSON.stringify(now) ?? '';
      if (text === shown) return;
      shown = text;
      setValue(now);
    };
    update();
    // A page that the back button restores has missed the events of its absence.
    return listen(window, `storage pageshow ${CHANGED}`, update);
  }, [kept.name]);
  return value;
}

/** A name for something that this device makes. `randomUUID` is missing in pages that came over plain HTTP. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join('');
}
