import type { Words } from '../../platform/languages/words.ts';
import type { estimate as english } from '../en/estimate.ts';

export const estimate = {
  atMost: ({ amount, limit }) => `Estimé à ${amount}. Vendu au poids\u00a0: vous payez au plus ${limit}.`,
  takenNow: ({ amount, limit }) =>
    `Estimé à ${amount}. Vendu au poids\u00a0: nous débitons ${limit} maintenant et remboursons la différence après la pesée.`,
  aboveMost: 'Au-delà de votre maximum',
} satisfies Words<typeof english>;
