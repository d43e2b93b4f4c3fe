import {
  invalidRequest,
  type JsonObject,
  type PluginAnswer,
  type PluginRequest,
  type PluginRoute,
  type PolledTickets,
  parseJsonObject,
} from 'doorstep/plugin';

/*
 * Star CloudPRNT over HTTP. A printer polls with POST and its state; `jobReady` names a job by its token. It fetches
 * the job with GET in one of the media types, prints, and ends it with DELETE and a code: 2xx is printed. A printer
 * that is still printing says `printingInProgress`; after a lost response it just polls again.
 */

/** Star's media types, best first, and the commands of each. */
const MEDIA_TYPES = {
  'application/vnd.star.starprnt': 'starprnt',
  'application/vnd.star.line': 'starline',
} as const;
type MediaType = keyof typeof MEDIA_TYPES;

const isMediaType = (type: string): type is MediaType => Object.hasOwn(MEDIA_TYPES, type);

const JSON_TYPE = 'application/json; charset=utf-8';

export function cloudPrntRoutes(tickets: PolledTickets): PluginRoute[] {
  const path = '/cloudprnt/:secret';
  return [
    { method: 'POST', path, handle: (request) => poll(tickets, request) },
    { method: 'GET', path, handle: (request) => take(tickets, request) },
    { method: 'DELETE', path, handle: (request) => end(tickets, request) },
  ];
}

async function poll(tickets: PolledTickets, { params: { secret = '' }, body }: PluginRequest): Promise<PluginAnswer> {
  const state = parseJsonObject(body.toString('utf8'));
  if (state === undefined) throw invalidRequest([{ in: 'body', name: 'body', message: 'must be a JSON object' }]);
  const isPrinting = state.printingInProgress === true;
  const jobToken = await tickets.poll(secret, troubleOf(state));
  const answer = jobToken === undefined || isPrinting ? {} : { mediaTypes: Object.keys(MEDIA_TYPES), jobToken };
  return { type: JSON_TYPE, body: JSON.stringify({ jobReady: 'jobToken' in answer, ...answer }) };
}

async function take(tickets: PolledTickets, { params, query }: PluginRequest): Promise<PluginAnswer> {
  const { secret = '' } = params;
  const type = query.type ?? '';
  if (!isMediaType(type)) return { status: 415 };
  // Printers of older firmware send no token: they print the next ticket.
  const id = query.token ?? (await tickets.poll(secret));
  const bytes = id && (await tickets.take(secret, id, { commands: MEDIA_TYPES[type], leaseSeconds: 0 }));
  return bytes ? { type, body: bytes } : { status: 404 };
}

async function end(tickets: PolledTickets, { params, query }: PluginRequest): Promise<PluginAnswer> {
  const { secret = '' } = params;
  const { code = '' } = query;
  const id = query.token ?? (await tickets.poll(secret));
  if (id === undefined) return {};
  if (/^(2\d\d|OK)/.test(code)) await tickets.printed(secret, id);
  else await tickets.failed(secret, id, troubleByCode(code) ?? 'The printer did not print the ticket.');
  return {};
}

function troubleOf({ statusCode }: JsonObject): string | null | undefined {
  return typeof statusCode === 'string' ? (troubleByCode(decoded(statusCode)) ?? null) : undefined;
}

/** `200 OK` is sent as `200%20OK` by every model. */
function decoded(text: string): string {
  return text.slice(0, 100).replaceAll('%20', ' ').trim();
}

const TROUBLES: Readonly<Record<string, string>> = {
  '410': 'The printer is out of paper.',
  '411': 'Paper is jammed in the printer.',
  '420': "The printer's cover is open.",
  '510': 'The printer does not take StarPRNT or Star Line Mode.',
  '520': 'The printer could not fetch the ticket.',
  '521': 'The ticket is too large for the printer.',
};

/** The trouble of a code; undefined for a working printer's codes. */
function troubleByCode(code: string): string | undefined {
  const [number] = /^[45]\d\d/.exec(code) ?? [];
  return number && (TROUBLES[number] ?? `The printer reports the error ${number}.`);
}
