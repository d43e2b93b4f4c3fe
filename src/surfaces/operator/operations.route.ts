import type { OperatorEndpoint } from '../../access/operations/operation.ts';
import { PROMOTION_OPERATIONS } from '../../supply/promotions/promotions.route.ts';
import * as access from './access.route.ts';
import * as accounts from './accounts.route.ts';
import * as alerts from './alerts/alerts.route.ts';
import * as branding from './branding.route.ts';
import * as duties from './duties.route.ts';
import * as forgetUser from './forget-user.route.ts';
import * as health from './health.route.ts';
import * as imports from './imports.route.ts';
import * as listAnyOrders from './list-any-orders.route.ts';
import * as listExportedOrders from './list-exported-orders.route.ts';
import * as manualStores from './manual-stores.route.ts';
import * as merges from './merges.route.ts';
import { NOTE_OPERATIONS } from './notes.route.ts';
import * as oauthClients from './oauth-clients.route.ts';
import * as operatorSteps from './operator-steps.route.ts';
import * as operators from './operators.route.ts';
import * as orderDesk from './order-desk.route.ts';
import * as orderRecord from './order-record.route.ts';
import * as owedTips from './owed-tips.route.ts';
import * as plugins from './plugins.route.ts';
import * as statements from './statements.route.ts';
import * as storeAccess from './store-access.route.ts';
import * as storeProducts from './store-products.route.ts';
import * as storeSettings from './store-settings.route.ts';
import * as stores from './stores.route.ts';
import * as taxes from './taxes.route.ts';
import * as tokens from './tokens.route.ts';
import * as trends from './trends.route.ts';
import * as waiting from './waiting.route.ts';
import * as webhookSecrets from './webhook-secrets.route.ts';

/** The files of the operators' operations: every operation that one of them exports has an endpoint. */
const FILES = [
  access,
  accounts,
  alerts,
  branding,
  duties,
  forgetUser,
  health,
  imports,
  listAnyOrders,
  listExportedOrders,
  manualStores,
  merges,
  oauthClients,
  operatorSteps,
  operators,
  orderDesk,
  orderRecord,
  owedTips,
  plugins,
  PROMOTION_OPERATIONS,
  NOTE_OPERATIONS,
  statements,
  storeAccess,
  storeProducts,
  storeSettings,
  stores,
  taxes,
  tokens,
  trends,
  waiting,
  webhookSecrets,
] as const;

type Exported<File> = File extends unknown ? File[keyof File] : never;
type AnyOperation =
  | Extract<Exported<(typeof FILES)[number]>, { endpoint: string; on: object }>
  | (typeof PROMOTION_OPERATIONS | typeof NOTE_OPERATIONS)[number];

/** Everything that operators do: endpoints, the types of the operator's pages, and commands follow from this list. */
export const OPERATOR_OPERATIONS = FILES.flatMap((file: object): readonly AnyOperation[] =>
  Array.isArray(file) ? file : Object.entries(file).flatMap(namedOperation),
).filter((one): one is Extract<AnyOperation, { on: { operator: object } }> => 'operator' in one.on);

function namedOperation([constant, one]: [string, unknown]): AnyOperation | [] {
  const isOperation = typeof one === 'object' && one !== null && 'endpoint' in one;
  return isOperation ? ({ name: constant.replace('Operation', ''), ...one } as AnyOperation) : [];
}

/** What operators do, by its endpoint, such as `GET /operator/accounts`. */
export type OperatorEndpoints = { [One in OperatorEndpoint<AnyOperation> as One['endpoint']]: One };
