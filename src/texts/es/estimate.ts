import type { Words } from '../../platform/languages/words.ts';
import type { estimate as english } from '../en/estimate.ts';

export const estimate = {
  atMost: ({ amount, limit }) => `Estimado: ${amount}. Se vende por peso; pagas ${limit} como máximo.`,
  takenNow: ({ amount, limit }) =>
    `Estimado: ${amount}. Se vende por peso; ahora se cobran ${limit} y te reembolsamos la diferencia después de pesarlo.`,
  aboveMost: 'Por encima de tu máximo',
} satisfies Words<typeof english>;
