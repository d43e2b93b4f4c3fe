import { ACCOUNT_REFUSALS } from '../../access/accounts/refusals.ts';
import { IDEMPOTENCY_REFUSALS } from '../../access/idempotency/refusals.ts';
import { SESSION_REFUSALS } from '../../access/sessions/refusals.ts';
import { DELIVERY_REFUSALS } from '../../fulfillment/deliveries/refusals.ts';
import { WEBHOOK_REFUSALS } from '../../notify/webhooks/refusals.ts';
import { MONEY_REFUSALS } from '../../ordering/money/refusals.ts';
import { ORDER_REFUSALS } from '../../ordering/order/refusals.ts';
import { PAYMENT_REFUSALS } from '../../ordering/payments/refusals.ts';
import { PLACE_REFUSALS } from '../../ordering/place/refusals.ts';
import { STATEMENT_REFUSALS } from '../../ordering/statements/refusals.ts';
import { HTTP_REFUSALS, type RefusalRecords, refusalRecords } from '../../platform/http/refusal.ts';
import { ADDRESS_REFUSALS } from '../../supply/addresses/refusals.ts';
import { CATALOG_REFUSALS } from '../../supply/catalog/refusals.ts';
import { MENU_REFUSALS } from '../../supply/menus/refusals.ts';
import { PHOTO_REFUSALS } from '../../supply/photos/refusals.ts';
import { OPERATOR_REFUSALS } from '../../surfaces/operator/refusals.ts';
import { TRACKING_REFUSALS } from '../../surfaces/tracking/refusals.ts';
import { UCP_REFUSALS } from '../../surfaces/ucp/refusals.ts';

/** All refusals. A code that is missing from these declarations is a type error. */
export const REFUSALS: RefusalRecords = refusalRecords(
  HTTP_REFUSALS,
  ACCOUNT_REFUSALS,
  IDEMPOTENCY_REFUSALS,
  SESSION_REFUSALS,
  PHOTO_REFUSALS,
  ADDRESS_REFUSALS,
  CATALOG_REFUSALS,
  MENU_REFUSALS,
  PAYMENT_REFUSALS,
  ORDER_REFUSALS,
  MONEY_REFUSALS,
  PLACE_REFUSALS,
  STATEMENT_REFUSALS,
  WEBHOOK_REFUSALS,
  DELIVERY_REFUSALS,
  OPERATOR_REFUSALS,
  TRACKING_REFUSALS,
  UCP_REFUSALS,
);
