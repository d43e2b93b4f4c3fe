/**
 * The rooms of src/, lowest first: a file imports from its own room and from lower rooms only. Files that lie directly
 * in src/ belong to `composition`, but for config.ts. ARCHITECTURE.md shows the same list, highest first.
 */
export const STAIRCASE = [
  'lib',
  'config.ts',
  'db',
  'jobs',
  'http',
  'load',
  'accounts',
  'stores',
  'search',
  'quotes',
  'catalog',
  'imports',
  'places',
  'payments',
  'carts',
  'orders',
  'deliveries',
  'messages',
  'webhooks',
  'tickets',
  'offers',
  'sandbox',
  'merchants',
  'operators',
  'tracking',
  'console',
  'agents',
  'reference',
  'adapters',
  'composition',
  'cli',
] as const;

export type Room = (typeof STAIRCASE)[number];

/** The room of a source file. Throws for a folder that is not on the staircase. */
export function roomOf(file: string): Room {
  const [, name = ''] = file.split('/');
  const isTop = file.split('/').length === 2 || name === 'wiring';
  const room = isTop && name !== 'config.ts' ? 'composition' : name;
  const found = STAIRCASE.find((known) => known === room);
  if (!found) throw new Error(`${file}: the room "${room}" is not on the staircase.`);
  return found;
}

export const stepOf = (file: string): number => STAIRCASE.indexOf(roomOf(file));
