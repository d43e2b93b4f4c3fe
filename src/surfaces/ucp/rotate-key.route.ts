import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { flag } from '../../platform/http/api-components.ts';
import { rotateSigningKey } from './signing-keys.cache.ts';

export const rotateUcpKeyOperation = operation({
  name: 'rotateUcpKey',
  endpoint: 'POST /ucp/rotate-key',
  summary: 'Replace the key that signs answers to UCP platforms',
  description:
    'The profile contains the new key immediately, and responses are signed with it after seven minutes. The old key stays in the profile for seven days. Nodes update within a minute.',
  body: Type.Object({ now: flag('Whether the old keys leave the profile at once, because one has leaked.') }),
  answer: Type.Object(
    { key_ids: Type.Array(Type.String(), { description: 'The published keys; the last one is new.' }) },
    { description: 'The new key is published.' },
  ),
  on: { operator: { command: 'ucp rotate-key', role: 'admin' } },
}).run(async (_needs: object, { save, body: { now: dropsOld = false } }) => {
  const keys = await save(
    (tx, at) => rotateSigningKey(tx, at, { dropsOld }),
    () => ({ action: 'signing_key.rotate', target: 'service', details: { dropped_old: dropsOld } }),
  );
  return { key_ids: keys.map(({ jwk }) => jwk.kid) };
});
