import type { Channel, StoreChannel } from './store-channel.ts';

/*
 * Several printers of one store (docs/tickets.md#stations): each prints the items of its categories. The one named
 * `expo`, and one without categories, print all. An item that no printer takes is printed by every one: none is lost.
 */

export type StationPrinter = Pick<Channel, 'channel' | 'categories'>;

const printsAll = ({ channel, categories }: StationPrinter) => channel === 'printer:expo' || categories === null;

/** The places of the items that a printer prints; `categoriesOf` has the names of each item's categories. */
export function stationItems(
  channel: StoreChannel,
  printers: readonly StationPrinter[],
  categoriesOf: readonly (readonly string[])[],
): Set<number> {
  const places = categoriesOf.map((_, place) => place);
  const own = printers.find((printer) => printer.channel === channel);
  if (!own || printsAll(own)) return new Set(places);
  const isTakenBy = (printer: StationPrinter, place: number) =>
    printsAll(printer) || hasCommonName(printer.categories ?? [], categoriesOf[place] ?? []);
  return new Set(
    places.filter((place) => isTakenBy(own, place) || !printers.some((printer) => isTakenBy(printer, place))),
  );
}

function hasCommonName(some: readonly string[], others: readonly string[]): boolean {
  const names = new Set(others.map(nameKey));
  return some.some((name) => names.has(nameKey(name)));
}

const nameKey = (name: string) => name.trim().toLowerCase();

/** The printer of receipts: the first that prints all items, otherwise the first. */
export function receiptPrinter(printers: readonly StationPrinter[]): StoreChannel | undefined {
  const sorted = printers.toSorted((one, other) => (one.channel < other.channel ? -1 : 1));
  return (sorted.find(printsAll) ?? sorted[0])?.channel;
}
