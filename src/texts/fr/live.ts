import type { Words } from '../../platform/languages/words.ts';
import type { live as english } from '../en/live.ts';

export const live = {
  minutesBetween: ({ from, to }) => `${from} à ${to} min`,
  minutesWithin: ({ to }) => `D’ici ${to} min`,
  minutes: ({ count }) => `${count} min`,
  anyMinute: 'D’une minute à l’autre',
  late: 'En retard',
  on: 'La page se met à jour en direct.',
  lost: 'Reconnexion…',
  polling: 'La page se met à jour toutes les 20 secondes.',
  copied: 'Lien copié.',
} satisfies Words<typeof english>;
