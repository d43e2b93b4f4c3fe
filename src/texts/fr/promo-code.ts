import type { Words } from '../../platform/languages/words.ts';
import type { promoCode as english } from '../en/promo-code.ts';

export const promoCode = {
  open: 'Ajouter un code promo',
  label: 'Code promo',
  add: 'Appliquer',
  remove: ({ code }) => `Retirer ${code}`,
  applied: ({ code }) => `${code} est appliqué.`,
  malformed: 'Entrez un code de 4 à 32 lettres, chiffres ou traits d’union.',
  firstOrder: ({ code }) =>
    `${code} est réservé à une première commande. Nous le vérifierons quand vous passerez la vôtre.`,
  items: {
    selected: 'articles sélectionnés',
    any: 'articles',
    except: ({ items, except }) => `${items} sauf ${except}`,
  },
  reasons: {
    not_valid: ({ code }) => `${code} n’est pas un code valide.`,
    not_yet: ({ code }) => `${code} n’est pas encore en vigueur.`,
    wrong_store: ({ code }) => `${code} ne s’applique pas ici.`,
    wrong_mode: ({ code }) => `Changez entre livraison et cueillette pour utiliser ${code}.`,
    wrong_time: ({ code }) => `${code} ne s’applique pas à cette heure.`,
    minimum_not_met: ({ code, amount, items }) =>
      `Ajoutez ${amount}${items === undefined ? '' : ` en ${items}`} pour utiliser ${code}.`,
    no_matching_items: ({ code }) => `${code} ne s’applique à rien dans votre panier.`,
    only_alcohol: ({ code }) => `${code} ne s’applique pas à l’alcool.`,
    first_order_only: ({ code }) => `${code} est réservé à une première commande.`,
    already_used: ({ code }) => `Vous avez déjà utilisé ${code}.`,
    used_up: ({ code }) => `${code} n’est plus offert.`,
    nothing_to_discount: ({ code }) => `Rien dans cette commande ne peut être réduit par ${code}.`,
    better_offer_applied: ({ code }) => `Vous profitez d’une meilleure offre\u00a0: ${code} n’est pas appliqué.`,
    duplicate: ({ code }) => `${code} est déjà appliqué.`,
  },
} satisfies Words<typeof english>;
