import type { Words } from '../../platform/languages/words.ts';
import type { estimate as english } from '../en/estimate.ts';

export const estimate = {
  atMost: ({ amount, limit }) => `Estimado: ${amount}. Se vende por peso; pagas ${limit} como máximo.`,
  takenNow: ({ amount, limit }) =>
    `Estimado: ${amount}. Se vende por peso; ahora se cobran ${limit} y te devolvemos lo que pese de menos.`,
  aboveMost: 'Por encima de lo que pagas como máximo',
} satisfies Words<typeof english>;
