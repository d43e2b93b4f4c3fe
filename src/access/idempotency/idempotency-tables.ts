import type { Generated } from 'kysely';
import type { ColumnsOf } from '../../platform/db/columns.ts';
import type { KeyOwner, KeyRecord } from './idempotency.ts';

declare module '../../platform/db/tables.ts' {
  interface Database {
    idempotencyKeys: ColumnsOf<Omit<KeyRecord, 'fingerprint'>> &
      KeyOwner & { key: string; fingerprint: Buffer; attempt: Generated<number> };
  }
}
