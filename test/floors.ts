import { textOf } from './source-files.ts';

/** A layer of src/, with its modules (folders, or single files) in import order. */
export type Floor = { name: string; rooms: readonly string[] };

/** The layers in ARCHITECTURE.md's table, lowest first. */
export const FLOORS: readonly Floor[] = [
  ...textOf('ARCHITECTURE.md').matchAll(/^\| \d+ `(?<name>[\w-]+)\/` \| (?<rooms>[^|]+) \|/gm),
]
  .map(({ groups }) => ({
    name: groups?.name ?? '',
    rooms: [...(groups?.rooms ?? '').matchAll(/`([\w.-]+)`/g)].map(([, room = '']) => room),
  }))
  .reverse();

/** Modules as `layer/module`; each may import from itself and from earlier ones. */
export const ROOMS: readonly string[] = FLOORS.flatMap(({ name, rooms }) => rooms.map((room) => `${name}/${room}`));

/** The module of a source file. Throws if ARCHITECTURE.md lists no such module. */
export function roomOf(file: string): string {
  const [, floor, room] = file.split('/');
  const found = ROOMS.find((known) => known === `${floor}/${room}`);
  if (!found) throw new Error(`${file} is in no module of ARCHITECTURE.md.`);
  return found;
}

export const heightOf = (file: string): number => ROOMS.indexOf(roomOf(file));
