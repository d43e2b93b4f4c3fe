import type { ColumnType, Generated } from 'kysely';
import type {
  ColumnsOf,
  InstantColumn,
  JsonColumn,
  MaybeInstantColumn,
  MaybeJsonColumn,
} from '../../platform/db/columns.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { HoursException, StoreHours } from './hours.ts';
import type { Kitchen, LearnedMinutes } from './kitchen.ts';
import type { Merge } from './merges/decide-merges.ts';
import type { Agreement, FeedSettings, ShownOffer, StoreOrigin, StorePhotos, StoreProfile } from './store.ts';
import type { StoreNote } from './store-notes.db.ts';
import type { TaxClass } from './tax-class.ts';

/** Hours as stored; a missing kind has the `operational` hours. */
export type StoredHours = Pick<StoreHours, 'operational'> & Partial<StoreHours>;

/** A profile as stored; `hoursExceptions` is absent if there are none. */
export type StoredProfile = Omit<StoreProfile, 'hours' | 'hoursExceptions'> & { hours: StoredHours } & Partial<
    Pick<StoreProfile, 'hoursExceptions'>
  >;

declare module '../../platform/db/tables.ts' {
  interface Database {
    changeClock: { onlyRow: Generated<boolean>; seq: number };
    stores: {
      storeId: string;
      source: string;
      externalId: string;
      profile: JsonColumn<StoredProfile>;
      onlineOrdering: boolean;
      acceptDelivery: boolean;
      acceptPickup: boolean;
      supportsUpcCodes: Generated<boolean>;
      hasCatalog: Generated<boolean>;
      hasChannel: Generated<boolean>;
      autoConfirmMinutes: number | null;
      language: Generated<Language>;
      taxClass: TaxClass | null;
      listed: Generated<boolean>;
      feedHash: Buffer;
      changedSeq: number;
      createdAt: InstantColumn;
      updatedAt: InstantColumn;
      latitude: ColumnType<number, never, never>;
      longitude: ColumnType<number, never, never>;
      spotRow: ColumnType<number, never, never>;
      brand: string | null;
      origins: MaybeJsonColumn<readonly StoreOrigin[]>;
      mergedInto: string | null;
      refreshBy: MaybeInstantColumn;
      sandboxAccounts: string[] | null;
      pausedUntil: MaybeInstantColumn;
      ownHours: MaybeJsonColumn<StoreHours>;
      ownHoursExceptions: MaybeJsonColumn<readonly HoursException[]>;
      ownPhotos: MaybeJsonColumn<Partial<StorePhotos>>;
      ownKitchen: MaybeJsonColumn<Kitchen>;
      roomFrom: MaybeInstantColumn;
      busyMinutes: number | null;
      busyUntil: MaybeInstantColumn;
      learnedMinutes: MaybeJsonColumn<LearnedMinutes>;
      offers: MaybeJsonColumn<readonly ShownOffer[]>;
      learnedAt: MaybeInstantColumn;
      agreement: MaybeJsonColumn<Agreement>;
      feedSettings: MaybeJsonColumn<FeedSettings>;
      delistedAt: MaybeInstantColumn;
      delistReason: string | null;
      allowsMarkup: Generated<boolean>;
      taxIds: Generated<string[]>;
      driverPayCents: Generated<number>;
      refundLimitCents: number | null;
      scaleLabels: string[] | null;
    };
    storeNotes: ColumnsOf<StoreNote>;
    storeMerges: ColumnsOf<Merge> & {
      mergeId: string;
      decidedAt: InstantColumn;
      endedAt: MaybeInstantColumn;
      undoneAt: MaybeInstantColumn;
    };
  }
}
