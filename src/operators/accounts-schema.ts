import { type TProperties, Type } from 'typebox';
import type { ListedKey } from '../accounts/accounts.db.ts';
import { named } from '../http/api-components.ts';
import { epochSeconds } from '../lib/time.ts';
import { AccountLimitsSchema } from './account-limits.ts';
import { MODES, maybeText, moment } from './field-schemas.ts';

const account = {
  account_id: Type.String(),
  name: Type.String(),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
} satisfies TProperties;

export const ListedAccountSchema = Type.Object(account, named('ListedAccount', 'An account.'));

export const KeySchema = Type.Object(
  {
    key_id: Type.String(),
    mode: Type.Enum([...MODES]),
    store_id: maybeText('The store of a store key.'),
    account_id: maybeText('Null for a live key of a store.'),
    hint: Type.String({ description: 'How the key begins and ends.' }),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    revoked_at: moment('When it was revoked.'),
  },
  named('ListedKey', 'A key without its secret.'),
);

const BrandSchema = Type.Object(
  {
    display_name: maybeText('What customers read instead of Doorstep.'),
    logo_url: maybeText('The logo.'),
    from_address: maybeText('The sender of its mail.'),
    bcc_address: maybeText('Who has a blind copy of every receipt.'),
    tracking_host: maybeText('The host of its tracking pages.'),
    has_favicon: Type.Boolean(),
  },
  named('AccountBrand', 'What customers of an account see.'),
);

const EndpointSchema = Type.Object(
  {
    mode: Type.Enum([...MODES]),
    url: Type.String(),
    enabled: Type.Boolean(),
    failing_since: moment('Since when every call fails.'),
  },
  named('AccountEndpoint', 'Where an account is called, without the secret.'),
);

export const AccountSchema = Type.Object(
  {
    ...account,
    keys: Type.Array(KeySchema),
    brand: BrandSchema,
    endpoints: Type.Array(EndpointSchema),
    limits: AccountLimitsSchema,
  },
  named('OperatorAccount', 'An account with its keys, its brand, its webhook endpoints and its limits.'),
);

export const NewKeySchema = Type.Object(
  {
    key_id: Type.String(),
    key: Type.String({ description: 'The key. No later answer shows it again.' }),
    mode: Type.Enum([...MODES]),
  },
  named('NewKey', 'A new key, shown this once.'),
);

export function presentKey({ keyId, mode, storeId, accountId, hint, createdAt, revokedAt }: ListedKey) {
  return {
    key_id: keyId,
    mode,
    store_id: storeId,
    account_id: accountId,
    hint,
    created_at: epochSeconds(createdAt),
    revoked_at: revokedAt && epochSeconds(revokedAt),
  };
}
