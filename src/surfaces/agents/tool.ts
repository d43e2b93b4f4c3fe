import type { Coordinate } from 'doorstep/search-engine/geography';
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import type { AgentOrders, KeyCaller } from '../../access/accounts/account.ts';
import type { TokenBearer } from '../../access/customers/grants.db.ts';
import { KEY_MAX_LENGTH } from '../../access/idempotency/idempotency.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import { boundedCount, readCursor, writeCursor } from '../../platform/http/page-cursor.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart, invalidRequest } from '../../platform/http/request-schema.ts';
import { canonicalJson, isJsonObject } from '../../platform/lib/json-object.ts';
import { formatPrice } from '../../platform/lib/money.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { LocatedAddress } from '../../supply/addresses/geocoder.ts';
import type { Store } from '../../supply/stores/store.ts';
import { partsOfStore, writeAddress } from '../../supply/stores/street-address.ts';

/**
 * Shared by all tools: checks of arguments, limits of answers, and page cursors. Each tool is a file in `tools/`;
 * `mcp.route.ts` lists them.
 */

/** A tool's effects, under the protocol's names. */
export type ToolHints = {
  readOnlyHint: boolean;
  /** Meaningless for a tool that only reads. */
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint: boolean;
};

/** A tool's caller, with the account's permissions for agents. */
export type AgentCaller = KeyCaller & {
  agentOrders: AgentOrders;
  agentUnpaid: boolean;
  /** The customer whose token it sent; undefined for an account's key. */
  customer?: TokenBearer;
  /** The claimed key of the call. */
  idempotencyKey?: string;
};

/** A response's structured content. */
export type ToolData = Readonly<Record<string, unknown>>;

/** A tool's protocol description, and its operation. */
export type Tool = {
  name: string;
  description: string;
  inputSchema: TObject;
  outputSchema?: object;
  annotations: ToolHints;
  /** Runs the tool. Refuses like the endpoints, with invalid_request for invalid arguments. */
  run(caller: AgentCaller, given: unknown): Promise<ToolData>;
};

type ToolOf<Input extends TProperties> = Omit<Tool, 'inputSchema' | 'run'> & {
  /** Its arguments; all others are refused. */
  input: Input;
  /** Arguments that go together: a coordinate has both of its halves. */
  dependentRequired?: Readonly<Record<string, readonly string[]>>;
  /** Maps the endpoint's names of arguments, which are accepted too, to the tool's own. */
  names?: ArgumentNames;
  run(caller: AgentCaller, given: Static<TObject<Input>>): Promise<ToolData>;
};

/** The key of a call that would do something twice; other tools that change something do it once by their arguments. */
const KEY = optionalText(KEY_MAX_LENGTH, 'New per call; repeats a lost one');

/** Tools that only read. */
export const READ_ONLY: ToolHints = { readOnlyHint: true, openWorldHint: false };

/** Binds a tool to its argument schema. One error lists every invalid argument. */
export function defineTool<Input extends TProperties>(tool: ToolOf<Input>): Tool {
  const { input, dependentRequired = {}, names = {}, run, ...rest } = tool;
  const own = (name: string) => names[name] ?? name;
  const together = Object.entries(dependentRequired).map(([name, others]) => [own(name), others.map(own)]);
  const key = rest.annotations.idempotentHint === false ? { idempotency_key: KEY } : {};
  const members = { ...(rename(input, names) as TProperties), ...key };
  const inputSchema = Type.Object(members, {
    additionalProperties: false,
    ...(together.length > 0 ? { dependentRequired: Object.fromEntries(together) } : {}),
  });
  const parse = compileRequestPart(inputSchema, 'body');
  const endpointNames = Object.fromEntries(Object.entries(names).map(([endpoint, own]) => [own, endpoint]));
  return {
    ...rest,
    inputSchema,
    async run(caller, given) {
      const parsed = parse(rename(withoutBlanks(given), names));
      if ('error' in parsed) throw parsed.error;
      try {
        const { idempotency_key: _, ...its } = parsed.value as ToolData;
        return await run(caller, rename(its, endpointNames) as Static<TObject<Input>>);
      } catch (error) {
        throw error instanceof Refusal ? withFaultsRenamed(error, names) : error;
      }
    },
  };
}

/** Names of an endpoint's arguments, mapped to the names that all tools use. */
type ArgumentNames = Readonly<Record<string, string>>;

/** The names of a customer's coordinate. */
export const DOOR_NAMES: ArgumentNames = { user_latitude: 'latitude', user_longitude: 'longitude' };

/** Renames members, unless the new name is given too: then the old one is refused as unknown. */
function rename(given: unknown, names: ArgumentNames): unknown {
  if (!isJsonObject(given)) return given;
  const nameOf = (name: string) => {
    const other = names[name];
    return other === undefined || Object.hasOwn(given, other) ? name : other;
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [nameOf(name), value]));
}

function withFaultsRenamed({ code, message, extras }: Refusal, names: ArgumentNames): Refusal {
  const errors = extras.errors?.map((fault) => ({ ...fault, name: names[fault.name] ?? fault.name }));
  const detail = errors && code === 'invalid_request' ? invalidRequest(errors).message : message;
  return new Refusal(code, detail, { ...extras, ...(errors ? { errors } : {}) });
}

/** Treats an empty argument as absent, because models send empty texts. */
function withoutBlanks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

/**
 * Maximum bytes of structured JSON per answer, about four thousand tokens. The response repeats it as text, up to twice
 * as long, for clients that show models only text.
 */
const MAX_DATA_BYTES = 12 * 1024;
/** Maximum bytes of a response's lists; the rest is for other members. */
export const MAX_LIST_BYTES = 9 * 1024;

/** A tool's result in the protocol. */
export type ToolResult = {
  content: [{ type: 'text'; text: string }];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/** Returns the first of several answers that is within the limit. The last one must always be short enough. */
export function firstWithinBound(...answers: (() => ToolData)[]): ToolData {
  const within = answers.values().map((answer) => answer());
  return within.find((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES) ?? {};
}

/** Returns a call's result. Throws RangeError above the byte limit, because tools truncate their own lists. */
export function resultOf(data: ToolData, isError: boolean): ToolResult {
  const text = JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_DATA_BYTES) throw new RangeError(`the answer of a tool has ${bytes} bytes`);
  return { content: [{ type: 'text', text }], structuredContent: { ...data }, ...(isError ? { isError: true } : {}) };
}

/** Returns the first entries that fit into this many bytes of JSON; at least one if there is any. */
export function takeFitting<Entry>(entries: readonly Entry[], maxBytes: number): Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry, nth) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return nth > 0 && bytes > maxBytes;
  });
  return entries.slice(0, end < 0 ? entries.length : end);
}

/** Cuts a store's or customer's text to a maximum length. */
export function clip(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1).toWellFormed()}…`;
}

/** Returns an amount in cents and as text: `total_cents: 1234, total: "$12.34"`. */
export function money<Name extends string>(
  name: Name,
  cents: number,
): { [Key in Name as `${Key}_cents`]: number } & { [Key in Name]: string } {
  return { [`${name}_cents`]: cents, [name]: formatPrice(cents) } as never;
}

/** Formats a time in the time zone of a store or delivery address: `2026-06-30T18:00`. */
export function clockTime(timeZone: string, at: Temporal.Instant): string {
  return at.toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

const MAX_PAGE = 9_999_999_999;
const MAX_SKIPPED_ROWS = 999_999;

/** The argument of every paged tool. */
export const CURSOR = optionalText(
  40,
  "The previous page's `next_cursor`, with all other arguments unchanged. Omit it for the first page.",
);

/** A page of a search, and how many of its entries were already shown. */
export type PagePosition = { page: number; skipped: number };

/** Reads a cursor; refuses with invalid_request if it's from another query, because its page would leave gaps. */
export function cursorPosition(cursor: string | undefined, query: object, name = 'cursor'): PagePosition {
  if (cursor === undefined) return { page: 0, skipped: 0 };
  return readCursor(cursor, { in: 'body', name }, ([first, second, of, ...more]) => {
    const [page, skipped] = [boundedCount(MAX_PAGE, first), boundedCount(MAX_SKIPPED_ROWS, second)];
    const isOther = of !== digestOf(query) || more.length > 0;
    return page === undefined || skipped === undefined || isOther ? undefined : { page, skipped };
  });
}

export const positionCursor = ({ page, skipped }: PagePosition, query: object): string =>
  writeCursor(page, skipped, digestOf(query));

const digestOf = (query: object): string => sha256(canonicalJson(query)).toString('base64url', 0, 6);

/** Shows the interpretation of the argument `address`, in every response that used one. */
export function resolvedAddress(place: Coordinate | LocatedAddress | null) {
  if (place === null || !('precision' in place)) return {};
  const { address, precision, latitude, longitude } = place;
  return { resolved_address: { address: clip(address, MAX_ADDRESS), precision, latitude, longitude } };
}

const MAX_ADDRESS = 200;

/** Returns a store's street address on one line. */
export function addressLine({ address }: Pick<Store, 'address'>): string {
  return clip(writeAddress(partsOfStore(address)), MAX_ADDRESS);
}

/** Maximum characters of a name in answers. */
export const MAX_NAME = 120;
