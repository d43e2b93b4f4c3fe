import type { Words } from '../../platform/languages/words.ts';
import type { taxName as english } from '../en/tax-name.ts';

export const taxName = {
  GST: 'TPS',
  TPS: 'TPS',
  HST: 'TVH',
  TVH: 'TVH',
  PST: 'TVP',
  TVP: 'TVP',
  QST: 'TVQ',
  TVQ: 'TVQ',
  RST: 'TVD',
  'Sales tax': 'Taxe de vente',
  Tax: 'Taxe',
  'Sales tax on alcohol': 'Taxe de vente sur l’alcool',
  'Sales tax on food': 'Taxe de vente sur les aliments',
  'Sales tax on groceries': 'Taxe de vente sur l’épicerie',
  'Sales tax on meals': 'Taxe de vente sur les repas',
  'Sales tax on soft drinks': 'Taxe de vente sur les boissons gazeuses',
  'General excise tax': 'Taxe d’accise générale',
  'Gross receipts tax': 'Taxe sur les recettes brutes',
  'Liquor enforcement tax': 'Taxe de contrôle de l’alcool',
  'Liquor tax': 'Taxe sur l’alcool',
  'Meals tax': 'Taxe sur les repas',
  'PST on alcohol': 'TVP sur l’alcool',
  'Transaction privilege tax': 'Taxe sur le privilège de transaction',
} satisfies Words<typeof english>;
