import type { Static } from 'typebox';
import type { OperatorEndpoints } from '../../src/surfaces/operator/operations.route.ts';
import { request } from '../request.ts';

/** The path of BASE_URL, which precedes every route of the service. */
const base = document.body.dataset.base ?? '';

export const addressOf = (path: string): string => base + path;

const FAILURES = {
  offline: 'The service cannot be reached. Check the connection, then try again.',
  refusal: (status: number, _code: string, detail?: string) => detail ?? `The service answered ${status}.`,
  leave: () => location.assign(addressOf('/console')),
};

export const post = (path: string, body: object = {}): Promise<unknown> =>
  request(FAILURES, addressOf(path), { method: 'POST', body });

/** An endpoint with its method, such as `GET /operator/accounts` (docs/operator-dashboard.md). */
type Endpoint = keyof OperatorEndpoints;
export type ReadName = Extract<Endpoint, `GET ${string}`>;
type ChangeName = Extract<Endpoint, `POST ${string}`>;
export type AnswerOf<Name extends Endpoint> = Static<OperatorEndpoints[Name]['answer']>;
export type BodyOf<Name extends Endpoint> = Static<NonNullable<OperatorEndpoints[Name]['body']>>;

type Path<Name extends Endpoint> = Name extends `${string}:${string}`
  ? { path: Static<NonNullable<OperatorEndpoints[Name]['params']>> }
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

/** Reads the response of an operation; its type is inferred from its record. */
export async function read<Name extends ReadName>(path: string, signal?: AbortSignal): Promise<AnswerOf<Name>> {
  return await request(FAILURES, addressOf(path), { signal: signal ?? null });
}

export async function call<Name extends ChangeName>(name: Name, change: Change<Name>): Promise<AnswerOf<Name>> {
  return (await post(pathOf(name, change.path ? { path: change.path } : {}), change.body)) as AnswerOf<Name>;
}

export type OperatorAccount = AnswerOf<'GET /operator/accounts/:account_id'>;
export type AccountLimits = OperatorAccount['limits'];
export type ListedKey = OperatorAccount['keys'][number];
export type NewKey = AnswerOf<'POST /operator/accounts/:account_id/keys'>;
export type OperatorAction = AnswerOf<'GET /operator/actions'>['actions'][number];
export type Alert = AnswerOf<'GET /operator/alerts'>['open'][number];
export type OperatorDuty = AnswerOf<'POST /operator/duty'>;
export type ServiceHealth = AnswerOf<'GET /operator/health'>;
export type ImportRun = AnswerOf<'GET /operator/imports'>['imports'][number];
export type KeptImportFault = AnswerOf<'GET /operator/imports/:run_no'>['errors'][number];
export type Operator = AnswerOf<'GET /operator/operators'>['operators'][number];
export type OperatorInvitation = AnswerOf<'POST /operator/operators'>;
export type OperatorOrder = AnswerOf<'GET /operator/orders/:order_id'>;
export type OperatorOrderChange = AnswerOf<'POST /operator/orders/:order_id/refund'>;
export type OperatorStore = AnswerOf<'GET /operator/stores/:store_id'>;
export type OperatorChannel = OperatorStore['channels'][number];
export type OwnersStatement = AnswerOf<'GET /operator/stores/:store_id/statement'>;
export type OrderDay = AnswerOf<'GET /operator/trends'>['days'][number];
export type Waiting = AnswerOf<'GET /operator/orders/waiting'>;
export type WaitingOrder = Waiting['orders'][number];
export type WaitingOffer = WaitingOrder['offers'][number];
export type Me = AnswerOf<'GET /operator/me'>;
export type GeocodedAddress = AnswerOf<'GET /operator/geocode'>['results'][number];
export type StoreTermsChanges = Omit<BodyOf<'POST /operator/stores/:store_id/terms'>, 'reason'>;
export type ChannelChanges = BodyOf<'POST /operator/stores/:store_id/channels'>;
