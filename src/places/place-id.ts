import { hash } from 'node:crypto';

/** The service's own id of a place of a directory: the same in every database, before and after the place is added. */
export function placeIdOf(directory: string, directoryPlaceId: string): string {
  return hash('sha256', `place\n${directory}\n${directoryPlaceId}`).slice(0, 24);
}
