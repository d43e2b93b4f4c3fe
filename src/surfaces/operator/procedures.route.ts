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
import * as oauthClients from './oauth-clients.route.ts';
import * as operatorSteps from './operator-steps.route.ts';
import * as operators from './operators.route.ts';
import * as orderDesk from './order-desk.route.ts';
import * as orderRecord from './order-record.route.ts';
import * as owedTips from './owed-tips.route.ts';
import * as plugins from './plugins.route.ts';
import { type ProcedureOf, procedureOf } from './procedure-of.route.ts';
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

/** The files of the procedures: every procedure that one of them exports has an endpoint. */
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
type AnyProcedure =
  | Extract<Exported<(typeof FILES)[number]>, { endpoint: string; role: string }>
  | ProcedureOf<(typeof PROMOTION_OPERATIONS)[number]>;

/** Everything that operators do: endpoints, the types of the operator's pages, and commands follow from this list. */
export const PROCEDURES = FILES.flatMap((file: object): readonly unknown[] =>
  Array.isArray(file) ? file.flatMap((one) => procedureOf(one)) : Object.entries(file).flatMap(namedProcedure),
) as readonly (AnyProcedure & { name: string })[];

function namedProcedure([constant, one]: [string, unknown]) {
  const isProcedure = typeof one === 'object' && one !== null && 'endpoint' in one;
  return isProcedure ? { name: constant.replace('Procedure', ''), ...one } : [];
}

/** The procedures by their endpoints, such as `GET /operator/accounts`. */
export type Procedures = { [One in AnyProcedure as One['endpoint']]: One };
