import { type Answer, apiError, type Books, type Call, listOf } from './stripe-books.ts';
import { createCustomer, createMethod, createSession, readSession, withMethod } from './stripe-card-books.ts';
import {
  cancelIntent,
  captureIntent,
  confirmIntent,
  createIntent,
  createRefund,
  isExpanded,
  presentIntent,
  presentRefund,
  withIntent,
} from './stripe-charge-books.ts';
import { createCalculation, createReversal, createTransaction, listTransactionLines } from './stripe-tax-books.ts';

/** Answers a call as Stripe does and updates its books. */
export function answerTo(books: Books, { method, path, form }: Call): Answer {
  const id = /\/((?:pm|pi|cs|tax)_[^/]+)/.exec(path)?.[1] ?? '';
  switch (`${method} ${path.replace(/\/(pm|pi|cs|tax)_[^/]+/, '/:id')}`) {
    case 'POST /v1/payment_methods':
      return createMethod(books, form);
    case 'GET /v1/payment_methods/:id':
      return withMethod(books, id);
    case 'POST /v1/payment_methods/:id/detach':
      return withMethod(books, id, (found) => Object.assign(found, { customer: null }));
    case 'POST /v1/customers':
      return createCustomer(books, form);
    case 'POST /v1/checkout/sessions':
      return createSession(books, form);
    case 'GET /v1/checkout/sessions/:id':
      return readSession(books, id, form);
    case 'POST /v1/payment_intents':
      return createIntent(books, form);
    case 'GET /v1/payment_intents':
      return listOf(
        path,
        books.intents,
        form,
        ({ customer }) => customer === form.customer,
        (one) => presentIntent(one),
      );
    case 'GET /v1/payment_intents/:id':
      return withIntent(books, id, (intent) => ({
        status: 200,
        body: presentIntent(intent, isExpanded(form) ? books : undefined),
      }));
    case 'POST /v1/payment_intents/:id/confirm':
      return withIntent(books, id, (intent) => confirmIntent(books, intent));
    case 'POST /v1/payment_intents/:id/capture':
      return withIntent(books, id, (intent) => captureIntent(intent, form));
    case 'POST /v1/payment_intents/:id/cancel':
      return withIntent(books, id, cancelIntent);
    case 'POST /v1/refunds':
      return createRefund(books, form);
    case 'GET /v1/refunds':
      return listOf(path, books.refunds, form, (one) => one.payment_intent === form.payment_intent, presentRefund);
    case 'POST /v1/tax/calculations':
      return createCalculation(books, form);
    case 'POST /v1/tax/transactions/create_from_calculation':
      return createTransaction(books, form);
    case 'POST /v1/tax/transactions/create_reversal':
      return createReversal(books, form);
    case 'GET /v1/tax/transactions/:id/line_items':
      return listTransactionLines(books, id);
    default:
      return apiError(404);
  }
}
