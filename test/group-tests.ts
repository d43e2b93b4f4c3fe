import { dirname } from 'node:path';

/** Test files that share one process. */
export type TestGroup = { name: string; files: readonly string[] };

export type GroupSizes = {
  /** More would leave a processor idle at the end of a run. */
  mostFiles: number;
  /** A room of `src/` with fewer files is no reason for a process of its own: such rooms share theirs. */
  fewFiles: number;
};

/**
 * Groups test files by room (`src/orders`, `test/hostile`), in the order of their names. Each group is a process that loads
 * the service once.
 */
export function groupTests(files: readonly string[], { mostFiles, fewFiles }: GroupSizes): TestGroup[] {
  const byRoom = Map.groupBy(files.toSorted(), roomOf);
  const isSmall = ([room, { length }]: [string, readonly string[]]) => length < fewFiles && !isOfWholeService(room);
  const small = [...byRoom].filter(isSmall).flatMap(([, inRoom]) => inRoom);
  const large = [...byRoom].filter((room) => !isSmall(room));
  return [...large, ['small rooms', small] as const].flatMap(([room, inRoom]) => {
    const count = Math.ceil(inRoom.length / mostFiles);
    return Array.from({ length: count }, (_, n) => ({
      name: [...room.split(/[/ ]/), ...(count > 1 ? [n + 1] : [])].join('-'),
      files: inRoom.slice(Math.floor((n * inRoom.length) / count), Math.floor(((n + 1) * inRoom.length) / count)),
    }));
  });
}

/** Both lists as one: each keeps its order, and both come to their end together. */
export function alternate<Item>(one: readonly Item[], other: readonly Item[]): Item[] {
  const placed = (items: readonly Item[]) => items.map((item, n) => ({ item, place: (n + 0.5) / items.length }));
  return [...placed(one), ...placed(other)].sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** Whether the name of a room or a group is of tests of the whole service, which take longer than those beside a source. */
export const isOfWholeService = (name: string): boolean => /^test\b/.test(name);

function roomOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/');
}
