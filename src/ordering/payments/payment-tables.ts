import type { GeneratedAlways } from 'kysely';
import type { Caller, KeyMode } from '../../access/accounts/account.ts';
import type { DeclineScope } from '../../access/budgets/budget.ts';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { CardSetup } from './card-setup.ts';
import type { GatewayEvent } from './gateway-events.db.ts';
import type { PaymentMethod } from './payment-method.ts';

/** Saved cards, card-setup pages, gateway events, and the counters against card testing. */
declare module '../../platform/db/tables.ts' {
  interface Database {
    paymentMethods: ColumnsOf<PaymentMethod & Pick<Caller, 'accountId' | 'mode'>> & {
      userEmail: string;
      createdAt: InstantColumn;
      deletedAt: MaybeInstantColumn;
    };
    gatewayEvents: ColumnsOf<GatewayEvent> & { receivedAt: InstantColumn };
    cardSetups: ColumnsOf<CardSetup> & { createdAt: InstantColumn };
    /** Declines of the last hour, and charges, which distinguish a busy live key from card testing. */
    cardDeclines: {
      declineNo: GeneratedAlways<number>;
      accountId: string;
      mode: KeyMode;
      scope: DeclineScope;
      subject: string;
      at: InstantColumn;
    };
    keyCharges: { chargeNo: GeneratedAlways<number>; accountId: string; keyId: string; at: InstantColumn };
    chargedCards: { accountId: string; card: string };
  }
}
