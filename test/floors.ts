import { textOf } from './source-files.ts';

/** A floor of src/, with its rooms (folders, or single files) in the order of their imports. */
export type Floor = { name: string; rooms: readonly string[] };

/** The floors in ARCHITECTURE.md's table, lowest first. */
export const FLOORS: readonly Floor[] = [
  ...textOf('ARCHITECTURE.md').matchAll(/^\| \d+ `(?<name>[\w-]+)\/` \| (?<rooms>[^|]+) \|/gm),
]
  .map(({ groups }) => ({
    name: groups?.name ?? '',
    rooms: [...(groups?.rooms ?? '').matchAll(/`([\w.-]+)`/g)].map(([, room = '']) => room),
  }))
  .reverse();

/** Rooms as `floor/room`; each may import from itself and from earlier ones. */
export const ROOMS: readonly string[] = FLOORS.flatMap(({ name, rooms }) => rooms.map((room) => `${name}/${room}`));

/** The room of a source file. Throws if ARCHITECTURE.md has no such room. */
export function roomOf(file: string): string {
  const [, floor, room] = file.split('/');
  const found = ROOMS.find((known) => known === `${floor}/${room}`);
  if (!found) throw new Error(`${file} lies in no room of ARCHITECTURE.md.`);
  return found;
}

export const heightOf = (file: string): number => ROOMS.indexOf(roomOf(file));
