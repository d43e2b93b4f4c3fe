const PREFIX = 'doorstep.';
const NAMES = ['seen', 'drivers'] as const;
type KeptName = (typeof NAMES)[number];

/** A value that this tablet keeps. Where the browser keeps nothing, it is gone at the next start. */
export function readKept<Value>(name: KeptName, otherwise: Value): Value {
  try {
    const text = window.localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function keep(name: KeptName, value: unknown): void {
  try {
    window.localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden storage keeps nothing.
  }
}

/** Removes everything on sign-out, so that a tablet shows no names and phones of drivers. */
export function forgetKept(): void {
  try {
    for (const name of NAMES) window.localStorage.removeItem(PREFIX + name);
  } catch {
    // A forbidden storage has kept nothing.
  }
}
