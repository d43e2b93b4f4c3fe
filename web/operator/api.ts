import type { Static } from 'typebox';
import type { Procedures } from '../../src/surfaces/operator/procedures.route.ts';

/** The path of BASE_URL, which precedes every route of the service. */
const base = document.body.dataset.base ?? '';

export const addressOf = (path: string): string => base + path;

/** A refusal of the service; the message is its sentence. */
export class RefusalError extends Error {
  readonly code: string | undefined;
  constructor(sentence: string, code?: string) {
    super(sentence);
    this.code = code;
  }
}

/** Sends a request. An expired session redirects to the sign-in. */
async function ask(path: string, init: RequestInit): Promise<unknown> {
  const reply = await fetch(addressOf(path), {
    ...init,
    headers: { accept: 'application/json', ...init.headers },
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RefusalError('The service cannot be reached. Check the connection, then try again.');
  });
  if (reply.status === 401) location.assign(addressOf('/console'));
  const body: unknown = await reply.json().catch(() => ({}));
  if (!reply.ok)
    throw new RefusalError(textOf(body, 'detail') ?? `The service answered ${reply.status}.`, textOf(body, 'code'));
  return body;
}

function textOf(body: unknown, name: 'detail' | 'code'): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const text: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof text === 'string' ? text : undefined;
}

export async function post(path: string, body: object = {}): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** An endpoint with its method, such as `GET /operator/accounts` (docs/operators.md). */
type Endpoint = keyof Procedures;
export type ReadName = Extract<Endpoint, `GET ${string}`>;
type ChangeName = Extract<Endpoint, `POST ${string}`>;
export type AnswerOf<Name extends Endpoint> = Static<Procedures[Name]['answer']>;
export type BodyOf<Name extends Endpoint> = Static<NonNullable<Procedures[Name]['body']>>;

type Path<Name extends Endpoint> = Name extends `${string}:${string}`
  ? { path: Static<NonNullable<Procedures[Name]['params']>> }
  : { path?: never };
/** The query parameters of an endpoint as texts, as in the page's URL. */
export type QueryParameters<Name extends ReadName> = Path<Name> & { query?: Readonly<Record<string, string>> };
type Change<Name extends ChangeName> = Path<Name> &
  (Record<string, never> extends BodyOf<Name> ? { body?: BodyOf<Name> } : { body: BodyOf<Name> });

/** An endpoint's path with the parameters that have a value. */
export function pathOf(
  endpoint: Endpoint,
  {
    path = {},
    query = {},
  }: { path?: Readonly<Record<string, string | number>>; query?: Readonly<Record<string, string>> },
): string {
  const [, template = ''] = endpoint.split(' ');
  const filled = template.replace(/:(\w+)/g, (_all, part: string) => encodeURIComponent(path[part] ?? ''));
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return given === '' ? filled : `${filled}?${given}`;
}

/** Reads the answer of an operation; its type is inferred from the procedure. */
export async function read<Name extends ReadName>(path: string, signal: AbortSignal): Promise<AnswerOf<Name>> {
  return (await ask(path, { signal })) as AnswerOf<Name>;
}

export async function call<Name extends ChangeName>(name: Name, change: Change<Name>): Promise<AnswerOf<Name>> {
  return (await post(pathOf(name, change.path ? { path: change.path } : {}), change.body)) as AnswerOf<Name>;
}

export type OperatorAccount = AnswerOf<'GET /operator/accounts/:account_id'>;
export type AccountLimits = OperatorAccount['limits'];
export type CardBreaker = AccountLimits['held_back'][number];
export type ListedKey = OperatorAccount['keys'][number];
export type NewKey = AnswerOf<'POST /operator/accounts/:account_id/keys'>;
export type OperatorAction = AnswerOf<'GET /operator/actions'>['actions'][number];
export type OpenSession = OperatorStore['sessions'][number];
export type Alert = AnswerOf<'GET /operator/alerts'>['open'][number];
export type OperatorDuty = AnswerOf<'POST /operator/duty'>;
export type ServiceHealth = AnswerOf<'GET /operator/health'>;
export type ImportRun = AnswerOf<'GET /operator/imports'>['imports'][number];
export type KeptImportFault = AnswerOf<'GET /operator/imports/:run_no'>['errors'][number];
export type ListedMerge = AnswerOf<'GET /operator/merges'>['merges'][number];
export type Operator = AnswerOf<'GET /operator/operators'>['operators'][number];
export type OperatorInvitation = AnswerOf<'POST /operator/operators'>;
export type OperatorOrder = AnswerOf<'GET /operator/orders/:order_id'>;
export type OperatorOrderChange = AnswerOf<'POST /operator/orders/:order_id/refund'>;
export type OperatorPreview = NonNullable<OperatorOrderChange['preview']>;
export type OperatorListedStore = AnswerOf<'GET /operator/stores'>['stores'][number];
export type OperatorStore = AnswerOf<'GET /operator/stores/:store_id'>;
export type OperatorChannel = OperatorStore['channels'][number];
export type StoreTerms = AnswerOf<'GET /operator/stores/:store_id/terms'>['terms'][number];
export type OwnersStatement = AnswerOf<'GET /operator/stores/:store_id/statement'>;
export type OrderDay = AnswerOf<'GET /operator/trends'>['days'][number];
export type Waiting = AnswerOf<'GET /operator/orders/waiting'>;
export type WaitingOrder = Waiting['orders'][number];
export type WaitingOffer = WaitingOrder['offers'][number];
export type OperatorOrderEvent = OperatorOrder['events'][number];
export type OperatorNotice = OperatorOrder['notices'][number];
export type OperatorMessage = OperatorOrder['messages'][number];
export type OperatorWebhookCall = OperatorOrder['webhook_calls'][number];
export type Me = AnswerOf<'GET /operator/me'>;
export type ManualStore = AnswerOf<'GET /operator/stores/:store_id/profile'>;
export type GeocodedAddress = AnswerOf<'GET /operator/geocode'>['results'][number];
export type StoreTermsChanges = Omit<BodyOf<'POST /operator/stores/:store_id/terms'>, 'reason'>;
export type ChannelChanges = BodyOf<'POST /operator/stores/:store_id/channels'>;
export type NewManualStore = BodyOf<'POST /operator/stores'>;
