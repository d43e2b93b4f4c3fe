import type { Words } from '../../platform/languages/words.ts';
import type { estimate as english } from '../en/estimate.ts';

export const estimate = {
  atMost: ({ amount, limit }) => `Estimé à ${amount}. Vendu au poids\u00a0: vous payez au plus ${limit}.`,
  takenNow: ({ amount, limit }) =>
    `Estimé à ${amount}. Vendu au poids\u00a0: ${limit} sont prélevés maintenant, et ce que la pesée donne en moins vous est remboursé.`,
  aboveMost: 'Au-delà de ce que vous payez au plus',
} satisfies Words<typeof english>;
