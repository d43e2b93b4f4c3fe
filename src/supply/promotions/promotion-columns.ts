/** The columns of lists of promotions, for the command and the operator dashboard. */
export const PROMOTION_COLUMNS = {
  'Offered by': 'offered_by',
  Kind: 'kind',
  Title: 'title',
  Code: 'code',
  State: 'state',
  Begins: 'starts_at',
  Ends: 'ends_at',
  Used: 'used',
  'At most': 'max_uses',
  Discounts: '$spent_cents',
  Budget: '$budget_cents',
  ID: 'promotion_id',
};
