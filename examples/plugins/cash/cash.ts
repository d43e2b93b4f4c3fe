import { randomUUID } from 'node:crypto';
import { CASH_TOKEN, CardDeclined, definePlugin, type PaymentGateway, tokenNotAccepted } from 'doorstep/plugin';

/*
 * Cash at the door: PAYMENT_GATEWAY=cash. Nothing is charged; the driver or the store collects the money at the
 * handoff, and hands refunds back. The gateway has no books: everything that it answers follows from the request.
 * CASH_LIMIT is the highest total, in dollars, that may be paid so.
 */

/** No card lasts as long as cash. */
const FOREVER = { expirationMonth: 12, expirationYear: 9999 };

export function createCash({ limitCents }: { limitCents: number }): PaymentGateway {
  const noCards = async (): Promise<never> => {
    throw new CardDeclined('card_not_supported');
  };
  return {
    methods: ['cash'],
    async acceptToken(paymentToken) {
      if (paymentToken !== CASH_TOKEN) throw tokenNotAccepted();
      // A payment method belongs to one user.
      return { token: `cash_${randomUUID()}`, fingerprint: null, brand: 'cash', last4: '', ...FOREVER };
    },
    async charge({ key, amountCents }) {
      const chargeId = `cash_${key}`;
      if (amountCents > limitCents) return { chargeId, status: 'declined', declineCode: 'cash_not_accepted' };
      return { chargeId, status: 'to_collect' };
    },
    // Without books there is no record. The service then repeats the charge, or places the order again.
    findCharge: async () => undefined,
    readCharge: async () => undefined,
    refund: async ({ key }) => ({ refundId: `note_${key}` }),
    cancelCharge: async () => {},
    deleteCard: async () => {},
    saveCard: noCards,
    openCardPage: noCards,
    readCardPage: async () => ({ state: 'over' }),
  };
}

export default definePlugin({
  name: 'cash',
  version: '1.0.0',
  api: 1,
  settings: {
    limit: {
      expected: 'a whole number of dollars',
      parse: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
      optional: true,
    },
  },
  gateways: [
    {
      name: 'cash',
      open: async ({ settings: { limit } }) => ({
        gateway: createCash({ limitCents: limit === undefined ? Number.POSITIVE_INFINITY : limit * 100 }),
      }),
    },
  ],
});
