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
  'General excise tax': 'Taxe d’accise générale',
  'Gross receipts tax': 'Taxe sur les recettes brutes',
  'Liquor enforcement tax': 'Taxe de contrôle de l’alcool',
  'Liquor tax': 'Taxe sur l’alcool',
  'Meals tax': 'Taxe sur les repas',
  'Transaction privilege tax': 'Taxe sur le privilège de transaction',
} satisfies Words<typeof english>;
