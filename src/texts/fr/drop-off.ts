import type { Words } from '../../platform/languages/words.ts';
import type { dropOff as english } from '../en/drop-off.ts';

export const dropOff = {
  title: 'Mode de remise',
  where: {
    hand_to_me: 'Remettre en mains propres',
    leave_at_door: 'Laisser à la porte',
    meet_outside: 'Rencontre à l’extérieur',
  },
  utensils: 'Avec ustensiles',
  noUtensils: 'Sans ustensiles',
  asksCode: 'Demander le NIP',
  wantsCode: 'Exiger un NIP à la remise',
  code: 'Votre NIP',
  codeHint: 'Donnez-le à la personne qui vous remet la commande.',
} satisfies Words<typeof english>;
