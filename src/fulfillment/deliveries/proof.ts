import { Type } from 'typebox';
import { orNull } from '../../platform/http/api-components.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Proof } from './proofs.db.ts';

export const PROOF_FIELDS = {
  photo_url: orNull(Type.String(), "The photo's URL for the same key. Null without a photo."),
  id_checked: Type.Boolean({ description: 'Whether the driver confirmed checking an ID.' }),
  at: orNull(Type.Integer(), 'When the last record was made, in epoch seconds. Null if the driver recorded nothing.'),
};

/** Presents the proof of delivery in answers; the photo is a link that needs the account's key. */
export function presentProof(orderId: string, proof: Proof | undefined, baseUrl: string) {
  return {
    photo_url: proof?.hasPhoto ? `${baseUrl}/account/orders/${orderId}/proof/photo` : null,
    id_checked: proof?.idChecked ?? false,
    at: proof ? epochSeconds(proof.at) : null,
  };
}
