import { Type } from 'typebox';
import { flag } from '../../platform/http/api-components.ts';
import { procedure } from '../operator/procedure.ts';
import { rotateSigningKey } from './signing-keys.cache.ts';

export const rotateUcpKeyProcedure = procedure({
  name: 'rotateUcpKey',
  endpoint: 'POST /operator/ucp/rotate-key',
  command: 'ucp rotate-key',
  role: 'admin',
  summary: 'Replace the key that signs answers to UCP platforms',
  description:
    'The profile contains the new key immediately, and responses are signed with it after seven minutes. The old key stays in the profile for seven days. Nodes update within a minute. The change is recorded.',
  body: Type.Object({ now: flag('Whether the old keys leave the profile at once, because one has leaked.') }),
  answer: Type.Object(
    { key_ids: Type.Array(Type.String(), { description: 'The published keys; the last one is new.' }) },
    { description: 'The new key is published.' },
  ),
  async run(_needs: object, { record, body: { now: dropsOld = false } }) {
    const keys = await record(
      (tx, at) => rotateSigningKey(tx, at, { dropsOld }),
      () => ({ action: 'signing_key.rotate', target: 'service', details: { dropped_old: dropsOld } }),
    );
    return { key_ids: keys.map(({ jwk }) => jwk.kid) };
  },
});
