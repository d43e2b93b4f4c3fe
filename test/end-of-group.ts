/** What ends with a group of files that run together; undefined in a process of one file. */
let ends: Set<() => Promise<void>> | undefined;

/** From here on the files of this process share what `keepForGroup` is given. */
export function beginGroup(): void {
  ends = new Set();
}

/** Whether the next files of this process use this too: `end` is then called once, after the last of them. */
export function keepForGroup(end: () => Promise<void>): boolean {
  ends?.add(end);
  return ends !== undefined;
}

/** Ends everything that the files have shared. */
export async function endGroup(): Promise<void> {
  for (const end of ends ?? []) await end();
  ends = undefined;
}
