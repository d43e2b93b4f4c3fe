import { Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { operation } from '../../access/operations/operation.ts';
import type { OperatorAction, RecordChange } from '../../access/sessions/actions.db.ts';
import { rotateStoreSecret } from '../../fulfillment/store-channels/set-channels.flow.ts';
import { rotateWebhookSecret } from '../../notify/webhooks/rotate-secret.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { describedObject, optionalWhole } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Rotation } from '../../platform/lib/standard-webhook.ts';
import { epochSecondsOrNull, isoSeconds } from '../../platform/lib/time.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { accountNotFound } from './accounts.route.ts';
import { KEY_MODES, moment } from './field-schemas.ts';
import { StoreParams, storeNotFound } from './stores.route.ts';

/** Signing secrets of webhooks: of an account in one key mode, and of a store's point of sale. */

const OVERLAP = optionalWhole(0, 720, 'The hours that the old secret also signs. Defaults to 24. 0 ends it now.');
const description = 'Deliveries carry both signatures until the overlap ends. The secret is shown only once.';
const answer = describedObject('The new secret.', {
  endpoint: Type.String(),
  signing_secret: Type.String(),
  previous_secret_until: moment('When the old secret ends.'),
});
export const rotateAccountSecretOperation = operation({
  endpoint: 'POST /accounts/:account_id/webhook_secret',
  refuses: ['not_found', 'transition_not_allowed'],
  summary: "Rotate an account's webhook signing secret",
  description,
  example: { body: { mode: 'sandbox', overlap_hours: 0 } },
  params: Type.Object({ account_id: Type.String({ maxLength: 64, description: 'An account.' }) }),
  body: Type.Object({
    mode: Type.Optional(Type.Enum([...KEY_MODES], { description: '`sandbox` by default.' })),
    overlap_hours: OVERLAP,
  }),
  answer,
  on: { operator: { command: 'webhooks rotate', role: 'admin' } },
}).run(async (needs: Context, { save, params: { account_id: accountId }, body }) => {
  const { mode = 'sandbox', overlap_hours = 24 } = body;
  if (!(await findAccount(needs.db, accountId))) throw accountNotFound();
  const change = { action: 'account.rotate_secret', target: accountId, details: { mode } } as const;
  return rotate(save, change, `The account ${accountId} in ${mode} mode`, (tx, at) =>
    rotateWebhookSecret(tx, { accountId, mode }, overlap_hours, at),
  );
});

export const rotateStoreSecretOperation = operation({
  endpoint: 'POST /stores/:store_id/webhook_secret',
  refuses: ['store_not_found', 'transition_not_allowed'],
  summary: "Rotate the webhook signing secret for a store's point of sale",
  description,
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  body: Type.Object({ overlap_hours: OVERLAP }),
  answer,
  on: { operator: { command: 'webhooks rotate', role: 'admin' } },
}).run(async (needs: Context, { save, params: { store_id: storeId }, body: { overlap_hours = 24 } }) => {
  if (!(await findStore(needs.db, storeId))) throw storeNotFound();
  const change = { action: 'store.rotate_secret', target: storeId, details: {} } as const;
  return rotate(save, change, `The store ${storeId}`, (tx, at) => rotateStoreSecret(tx, storeId, overlap_hours, at));
});

async function rotate(
  record: RecordChange,
  change: { action: OperatorAction; target: string; details: Readonly<Record<string, unknown>> },
  owner: string,
  run: (tx: Sql, at: Temporal.Instant) => Promise<(Rotation & { url: string }) | undefined>,
) {
  const { secrets, url } = await record(
    async (tx, at) => {
      const rotation = await run(tx, at);
      if (!rotation) throw new Refusal('transition_not_allowed', `${owner} has no webhook.`);
      if (rotation.state === 'rotated') return rotation;
      const until = isoSeconds(rotation.previousUntil);
      const sentence = `The previous secret is still valid until ${until}. Wait until then, or end all older secrets now with an overlap of 0.`;
      throw new Refusal('transition_not_allowed', sentence);
    },
    () => change,
  );
  return {
    endpoint: url,
    signing_secret: secrets.secret,
    previous_secret_until: epochSecondsOrNull(secrets.previousUntil ?? null),
  };
}
