/**
 * Stripe.js as far as a checkout's wallet uses it, as a script for browsers: a button that pays with `token` at once.
 * The options of its sheet are on the page as `window.sheet`. Without a token the browser has no wallet.
 */
export const stripeJsDouble = (token?: string): string => `
window.Stripe = (key, { locale }) => ({
  paymentRequest(options) {
    const listeners = {};
    window.sheet = { key, locale, ...options };
    return {
      canMakePayment: async () => ${token === undefined ? 'null' : '({ applePay: true })'},
      on(event, listener) { listeners[event] = listener; },
      listeners,
    };
  },
  elements: () => ({
    create(type, { paymentRequest }) {
      let click = () => {};
      return {
        on(event, listener) { if (event === 'click') click = listener; },
        mount(place) {
          const button = document.createElement('button');
          button.type = 'button';
          button.id = type;
          button.textContent = 'Pay';
          button.style.height = '48px';
          button.onclick = () => {
            let isOpen = true;
            click({ preventDefault() { isOpen = false; } });
            if (isOpen) paymentRequest.listeners.paymentmethod({
              paymentMethod: { id: '${token}' },
              payerName: 'Ana Pérez', payerEmail: 'ana@example.com', payerPhone: '+12125550142',
              complete(status) { window.sheet.status = status; },
            });
          };
          place.append(button);
        },
      };
    },
  }),
});
`;
