import { textOf } from './source-files.ts';

/** One floor of src/, and its rooms in the sequence of their imports. */
export type Floor = { name: string; rooms: readonly string[] };

/** The floors as the table of ARCHITECTURE.md has them, lowest first. */
export const FLOORS: readonly Floor[] = [
  ...textOf('ARCHITECTURE.md').matchAll(/^\| \d `(?<name>[\w-]+)\/` \| (?<rooms>[^|]+) \|/gm),
]
  .map(({ groups }) => ({
    name: groups?.name ?? '',
    rooms: [...(groups?.rooms ?? '').matchAll(/`([\w-]+)`/g)].map(([, room = '']) => room),
  }))
  .reverse();

/** Rooms as `floor/room`, each of which may import from itself and from those before it. */
export const ROOMS: readonly string[] = FLOORS.flatMap(({ name, rooms }) => rooms.map((room) => `${name}/${room}`));

/** Where files lie once they have moved; gone with the last move. */
const MOVES: readonly [RegExp, string][] = [
  [/^(platform|access|supply|ordering|notify|fulfilment|surfaces|app)\//, '$1/'],
  [/^config(\.test)?\.ts$/, 'platform/config/config$1.ts'],
  [/^(lib|db|jobs|http|load)\//, 'platform/$1/'],
  [/^search\/stores\/(item-words[.\w]*)$/, 'supply/catalog/$1'],
  [/^accounts\/budgets\//, 'access/budgets/'],
  [/^accounts\/(purge-idempotency-keys[.\w]*|idempotency[.\w-]*|in-flight-requests[.\w]*)$/, 'access/idempotency/$1'],
  [/^accounts\//, 'access/accounts/'],
  [
    /^merchants\/((?:sessions\.db|sign-in|console-cookie|authenticate-console|store-keys|merchant-tables|merchant)\b[.\w-]*)$/,
    'access/sessions/$1',
  ],
  [/^(?:messages|payments)\/(sandbox-[.\w-]*)$/, 'surfaces/sandbox/$1'],
  [/^sandbox\//, 'surfaces/sandbox/'],
  [/^messages\/(plain-text[.\w-]*)$/, 'platform/lib/$1'],
  [
    /^messages\/((?:format-time|cancel-reason|receipt|item-change|refund-lines)\b[.\w-]*)$/,
    'ordering/orders/wording/$1',
  ],
  [/^console\/((?:hours-editing|order-board|store-clock|console-rules)[.\w-]*)$/, '../web/console/$1'],
  [/^quotes\//, 'supply/pricing/'],
  [/^catalog\/search\//, 'search/products/'],
  [/^carts\//, 'search/carts/'],
  [/^(stores|catalog|imports|places)\//, 'supply/$1/'],
  [/^search\//, 'search/'],
  [/^(payments|orders)\//, 'ordering/$1/'],
  [/^offers\//, 'fulfilment/store-channels/'],
  [/^(deliveries|tickets)\//, 'fulfilment/$1/'],
  [/^(messages|webhooks)\//, 'notify/$1/'],
  [/^(merchants|console)\//, 'surfaces/store-console/'],
  [/^operators\//, 'surfaces/operator/'],
  [/^(tracking|agents)\//, 'surfaces/$1/'],
  [/^reference\/docs\//, 'surfaces/docs/pages/'],
  [/^reference\//, 'surfaces/docs/'],
  [/^(adapters|wiring|cli)\//, 'app/$1/'],
  [/^([\w.-]+)$/, 'app/wiring/$1'],
];

/** The path of a file once it has moved. */
export function placed(file: string): string {
  const path = file.replace(/^src\//, '');
  const [from, to] = MOVES.find(([from]) => from.test(path)) ?? [/$/, ''];
  return `src/${path.replace(from, to)}`;
}

/** The room of a source file. Throws where ARCHITECTURE.md has no such room. */
export function roomOf(file: string): string {
  const [, floor, room] = placed(file).split('/');
  const found = ROOMS.find((known) => known === `${floor}/${room}`);
  if (!found) throw new Error(`${file} lies in no room of ARCHITECTURE.md.`);
  return found;
}

export const heightOf = (file: string): number => ROOMS.indexOf(roomOf(file));
