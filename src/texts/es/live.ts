import type { Words } from '../../platform/languages/words.ts';
import type { live as english } from '../en/live.ts';

export const live = {
  minutesBetween: ({ from, to }) => `${from}–${to} min`,
  minutesWithin: ({ to }) => `En menos de ${to} min`,
  minutes: ({ count }) => `${count} min`,
  anyMinute: 'En cualquier momento',
  late: 'Con retraso',
  on: 'La página se actualiza en vivo.',
  lost: 'Reconectando…',
  polling: 'La página se actualiza cada 20 segundos.',
  copied: 'Enlace copiado.',
} satisfies Words<typeof english>;
