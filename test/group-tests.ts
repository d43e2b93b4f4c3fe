import { dirname } from 'node:path';

/** Test files that share one process. */
export type TestGroup = { name: string; files: readonly string[] };

/** Files of one process: it loads the service once for all of them, and more would leave a processor idle at the end. */
const MOST_FILES = 12;

/** Groups test files by room (`src/orders`, `test/hostile`), the files in the order of their names. */
export function groupTests(files: readonly string[]): TestGroup[] {
  const byRoom = Map.groupBy(files.toSorted(), roomOf);
  return [...byRoom].flatMap(([room, inRoom]) => {
    const count = Math.ceil(inRoom.length / MOST_FILES);
    return Array.from({ length: count }, (_, n) => ({
      name: [...room.split('/'), ...(count > 1 ? [n + 1] : [])].join('-'),
      files: inRoom.slice(Math.floor((n * inRoom.length) / count), Math.floor(((n + 1) * inRoom.length) / count)),
    }));
  });
}

function roomOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/');
}
