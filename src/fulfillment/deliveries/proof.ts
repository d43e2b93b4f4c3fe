import { epochSeconds } from '../../platform/lib/time.ts';
import type { Proof } from './proofs.db.ts';

/** Presents the proof of delivery in answers; the photo is a link that needs the account's key. */
export function presentProof(orderId: string, proof: Proof | undefined, baseUrl: string) {
  return {
    photo_url: proof?.hasPhoto ? `${baseUrl}/account/orders/${orderId}/proof/photo` : null,
    id_checked: proof?.idChecked ?? false,
    at: proof ? epochSeconds(proof.at) : null,
  };
}
