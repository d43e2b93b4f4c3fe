/** The given name only, by which people know each other at a door. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? '';
}
