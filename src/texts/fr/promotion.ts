import type { Words } from '../../platform/languages/words.ts';
import type { promotion as english } from '../en/promotion.ts';

/** Titles of promotions whose owner gave none, and who pays them. */
export const promotion = {
  percent: ({ percent }: { percent: string }) => `${percent} de rabais`,
  percentUpTo: ({ percent, amount }: { percent: string; amount: string }) => `${percent} de rabais, jusqu’à ${amount}`,
  amount: ({ amount }: { amount: string }) => `${amount} de rabais`,
  spend: ({ minimum, amount, items }) =>
    `${amount} de rabais dès ${minimum}${items === undefined ? '' : ` en ${items}`}`,
  buyGet: ({ buy, get }: { buy: string; get: string }) => `Achetez-en ${buy}, obtenez-en ${get} gratuitement`,
  buyGetPercent: ({ buy, get, percent }: { buy: string; get: string; percent: string }) =>
    `Achetez-en ${buy}, obtenez-en ${get} à ${percent} de rabais`,
  freeDelivery: 'Livraison gratuite',
  deliveryOff: ({ amount }: { amount: string }) => `${amount} de rabais sur la livraison`,
  price: ({ price }: { price: string }) => `Maintenant ${price}`,
  waived: 'Trop petit pour être débité',
  minimum: ({ amount, items }) => `Achat minimum de ${amount}${items === undefined ? '' : ` en ${items}`}`,
  someItems: 'Articles sélectionnés',
  modeOnly: { delivery: 'Livraison seulement', pickup: 'Cueillette seulement' },
  firstOrder: 'Première commande seulement',
  someHours: 'À certaines heures',
  /** Under an item with a lower price. */
  listPrice: ({ price }: { price: string }) => `Prix courant ${price}`,
  paidBy: { store: 'payé par l’établissement', account: 'payé par l’application', operator: 'payé par la plateforme' },
} satisfies Words<typeof english>;
