/*
 * The button of Apple Pay, Google Pay or another wallet of the browser on the hosted checkout: the module for browsers
 * of `Wallets` (docs/plugins.md#wallets), by the Payment Request of Stripe.js.
 */

/** The checkout, as its page gives it to this module. */
type Sheet = {
  publicKey: string;
  language: 'en' | 'fr' | 'es';
  country: string;
  currency: string;
  label: string;
  amountCents: number;
  asksFor: { name: boolean; email: boolean; phone: boolean };
  /** False keeps the sheet closed. */
  onPress(): boolean;
  onPaid(paid: { token: string; name?: string; email?: string; phone?: string }): void;
};

type Paid = {
  paymentMethod: { id: string };
  payerName?: string;
  payerEmail?: string;
  payerPhone?: string;
  complete(status: 'success'): void;
};
type PaymentRequest = {
  canMakePayment(): Promise<object | null>;
  on(event: 'paymentmethod', listener: (paid: Paid) => void): void;
};
type Button = {
  mount(place: HTMLElement): void;
  on(event: 'click', listener: (click: { preventDefault(): void }) => void): void;
};
type StripeJs = {
  paymentRequest(options: object): PaymentRequest;
  elements(): { create(type: 'paymentRequestButton', options: object): Button };
};

/** Without the signals of fraud, which send the page's URL to Stripe: the URL of a checkout is its permission. */
const LIBRARY = 'https://js.stripe.com/v3/?advancedFraudSignals=false';
const LOCALES = { en: 'en', fr: 'fr-CA', es: 'es-419' };

/** Shows the button in `place`; resolves to false where the browser has no wallet with a card. */
export default async function mountWallet(place: HTMLElement, sheet: Sheet): Promise<boolean> {
  if (!('PaymentRequest' in window || 'ApplePaySession' in window)) return false;
  const { publicKey, language, country, currency, label, amountCents, asksFor, onPress, onPaid } = sheet;
  const open = await loadLibrary();
  const stripe = open(publicKey, { locale: LOCALES[language] });
  const request = stripe.paymentRequest({
    country,
    currency,
    total: { label, amount: amountCents },
    requestPayerName: asksFor.name,
    requestPayerEmail: asksFor.email,
    requestPayerPhone: asksFor.phone,
    disableWallets: ['link', 'browserCard'],
  });
  if (!(await request.canMakePayment())) return false;
  request.on('paymentmethod', ({ paymentMethod, payerName, payerEmail, payerPhone, complete }) => {
    // Closes the sheet. The page shows the outcome, or leads to the bank.
    complete('success');
    const contact = { name: payerName, email: payerEmail, phone: payerPhone };
    const given = Object.entries(contact).filter(([, value]) => value);
    onPaid({ ...Object.fromEntries(given), token: paymentMethod.id });
  });
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark';
  const style = { paymentRequestButton: { theme, height: '48px' } };
  const button = stripe.elements().create('paymentRequestButton', { paymentRequest: request, style });
  button.on('click', (click) => {
    if (!onPress()) click.preventDefault();
  });
  button.mount(place);
  return true;
}

type OpenStripe = (key: string, options: { locale: string }) => StripeJs;

async function loadLibrary(): Promise<OpenStripe> {
  const script = document.createElement('script');
  script.src = LIBRARY;
  await new Promise((done, failed) => {
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  return (window as unknown as { Stripe: OpenStripe }).Stripe;
}
