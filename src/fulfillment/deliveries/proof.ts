import { Type } from 'typebox';
import { orNull } from '../../platform/http/api-components.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Proof } from './proofs.db.ts';

export const PROOF_FIELDS = {
  photo_url: orNull(Type.String(), 'Where the photo is, for the same key; null without a photo.'),
  id_checked: Type.Boolean({ description: 'The driver confirmed to have seen an ID.' }),
  at: orNull(Type.Integer(), 'Epoch seconds of the last record; null where the driver recorded nothing.'),
};

/** Presents the proof of delivery in answers; the photo is a link that needs the account's key. */
export function presentProof(orderId: string, proof: Proof | undefined, baseUrl: string) {
  return {
    photo_url: proof?.hasPhoto ? `${baseUrl}/account/orders/${orderId}/proof/photo` : null,
    id_checked: proof?.idChecked ?? false,
    at: proof ? epochSeconds(proof.at) : null,
  };
}
