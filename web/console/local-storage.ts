const PREFIX = 'doorstep.';
const NAMES = ['seen', 'drivers', 'started', 'muted', 'operator-mode'] as const;
type StorageName = (typeof NAMES)[number];

/** Reads a value that this tablet stores. If the browser stores nothing, values are lost at the next start. */
export function readStored<Value>(name: StorageName, otherwise: Value): Value {
  try {
    const text = window.localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function keep(name: StorageName, value: unknown): void {
  try {
    window.localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Ignored: a full or forbidden storage stores nothing.
  }
}

/** Removes everything on sign-out, so that a tablet shows no names and phone numbers of drivers. */
export function clearStored(): void {
  try {
    for (const name of NAMES) window.localStorage.removeItem(PREFIX + name);
  } catch {
    // Ignored: a forbidden storage has nothing to remove.
  }
}
