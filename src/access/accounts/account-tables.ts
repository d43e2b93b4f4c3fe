import type { Generated } from 'kysely';
import type { ColumnsOf, InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { AgentOrders, KeyMode, KeyScope } from './account.ts';
import type { Branding } from './branding.ts';

type DefaultedBranding = 'language' | 'corners' | 'font' | 'ownerLook' | 'customerCancel' | 'onItsWay' | 'delivered';

declare module '../../platform/db/tables.ts' {
  interface Database {
    accounts: {
      accountId: string;
      name: string;
      createdAt: InstantColumn;
      negativeMarkup: Generated<boolean>;
      agentOrders: Generated<AgentOrders>;
      agentUnpaid: Generated<boolean>;
      /** Whether orders that stores take by phone belong to it; of up to one account. */
      isHouse: Generated<boolean>;
    };
    apiKeys: {
      keyId: string;
      /** Null for a store's live key. */
      accountId: string | null;
      storeId: string | null;
      mode: KeyMode;
      keyHash: Buffer;
      hint: string;
      scopes: Generated<KeyScope[]>;
      /** Null for a key that is not publishable. */
      origins: string[] | null;
      createdAt: InstantColumn;
      revokedAt: MaybeInstantColumn;
    };
    brandings: ColumnsOf<Omit<Branding, DefaultedBranding | 'favicon'>> & {
      [Name in DefaultedBranding]: Generated<Branding[Name]>;
    } & {
      favicon: Buffer | null;
      faviconType: string | null;
      trackingHostCheckedAt: MaybeInstantColumn;
      updatedAt: InstantColumn;
    };
    shops: {
      accountId: string;
      mode: KeyMode;
      keyId: string;
      key: string;
      storeIds: string[] | null;
      near: string | null;
      isDefault: Generated<boolean>;
      isOn: Generated<boolean>;
      ucp: KeyMode | null;
    };
  }
}
