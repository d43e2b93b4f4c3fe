/** Texts of the shop and checkout for a customer's codes. */
export const promoCode = {
  open: 'Add a promo code',
  label: 'Promo code',
  add: 'Apply',
  remove: ({ code }: { code: string }) => `Remove ${code}`,
  applied: ({ code }: { code: string }) => `${code} is applied.`,
  malformed: 'Enter a code of 4 to 32 letters, numbers or hyphens.',
  /** For a first-order code, before the customer is known. */
  firstOrder: ({ code }: { code: string }) => `${code} is for first orders. We’ll check when you place yours.`,
  /** The items of a minimum: some without a short name, or all but the excepted. */
  items: {
    selected: 'selected items',
    any: 'items',
    except: ({ items, except }: { items: string; except: string }) => `${items} except ${except}`,
  },
  /** Why a code doesn't apply. `amount` is still missing from its minimum. `items` names the items of the minimum. */
  reasons: {
    not_valid: ({ code }: { code: string }) => `${code} isn’t a valid code.`,
    not_yet: ({ code }: { code: string }) => `${code} isn’t active yet.`,
    wrong_store: ({ code }: { code: string }) => `${code} doesn’t work here.`,
    wrong_mode: ({ code }: { code: string }) => `Switch between delivery and pickup to use ${code}.`,
    wrong_time: ({ code }: { code: string }) => `${code} doesn’t work at this time.`,
    minimum_not_met: ({ code, amount, items }: { code: string; amount: string; items: string | undefined }) =>
      `Add ${amount} more${items === undefined ? '' : ` of ${items}`} to use ${code}.`,
    no_matching_items: ({ code }: { code: string }) => `${code} doesn’t apply to anything in your cart.`,
    only_alcohol: ({ code }: { code: string }) => `${code} doesn’t apply to alcohol.`,
    first_order_only: ({ code }: { code: string }) => `${code} is for first orders only.`,
    already_used: ({ code }: { code: string }) => `You’ve already used ${code}.`,
    used_up: ({ code }: { code: string }) => `${code} is no longer available.`,
    nothing_to_discount: ({ code }: { code: string }) => `There’s nothing in this order for ${code} to discount.`,
    better_offer_applied: ({ code }: { code: string }) => `You’re getting a better offer, so ${code} isn’t applied.`,
    duplicate: ({ code }: { code: string }) => `${code} is already applied.`,
  },
};
