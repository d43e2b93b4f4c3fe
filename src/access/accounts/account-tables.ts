import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from '../../platform/db/columns.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { AgentOrders, KeyMode, KeyScope } from './account.ts';
import type { Corners, Font } from './brand-look.ts';
import type { ExtraChannels } from './branding.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    accounts: {
      accountId: string;
      name: string;
      createdAt: InstantColumn;
      negativeMarkup: Generated<boolean>;
      agentOrders: Generated<AgentOrders>;
      agentUnpaid: Generated<boolean>;
      /** Whether orders that stores take by phone belong to it; of one account at most. */
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
    brandings: {
      accountId: string;
      displayName: string | null;
      language: Generated<Language>;
      logoUrl: string | null;
      fromAddress: string | null;
      bccAddress: string | null;
      favicon: Buffer | null;
      faviconType: string | null;
      trackingHost: string | null;
      trackingHostVerifiedAt: MaybeInstantColumn;
      trackingHostCheckedAt: MaybeInstantColumn;
      color: string | null;
      corners: Generated<Corners>;
      font: Generated<Font>;
      coverUrl: string | null;
      welcome: string | null;
      ownerLook: Generated<boolean>;
      helpUrl: string | null;
      helpEmail: string | null;
      helpPhone: string | null;
      termsUrl: string | null;
      privacyUrl: string | null;
      customerCancel: Generated<boolean>;
      reorderUrl: string | null;
      onItsWay: Generated<ExtraChannels>;
      delivered: Generated<ExtraChannels>;
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
