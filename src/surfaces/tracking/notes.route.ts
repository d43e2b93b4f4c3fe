import { type Html, html } from 'doorstep/html';
import { type Static, Type } from 'typebox';
import { type Handover, handoverOf } from '../../ordering/order/drop-off.ts';
import { fulfilledItems } from '../../ordering/order/fulfilled-items.ts';
import { DROP_OFF_PLACES, type Order } from '../../ordering/order/order.ts';
import { isInPerson } from '../../ordering/order/order-faults.ts';
import { isUpdatable } from '../../ordering/order/order-view.ts';
import { toCollectCents } from '../../ordering/order/reprice-order.ts';
import { updateOrder } from '../../ordering/place/update-order.flow.ts';
import { pageAnswer } from '../../platform/http/form-page.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { formField } from '../../platform/lib/form-field.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type OrderVisit, orderForm, sentText, toOrder } from './order-form.route.ts';
import type { TrackingDeps } from './site-page.hook.ts';
import { formDocument, linkFields, notePage } from './tracking.page.ts';

/*
 * The page where a customer changes notes and apartment, until a driver has picked the order up or a pickup is
 * ready.
 */

const MAX_APT_LENGTH = 50;
const MAX_NOTES_LENGTH = 1000;

const FIELDS = {
  apt: sentText(400, `The delivery's apartment, suite or floor, up to ${MAX_APT_LENGTH} characters.`),
  notes: sentText(
    8000,
    `Instructions for the driver, or for the store at a pickup, up to ${MAX_NOTES_LENGTH} characters.`,
  ),
  where: Type.Optional(
    Type.Enum([...DROP_OFF_PLACES, ''], {
      description: 'Where the driver leaves a delivery. Empty keeps it unchanged.',
    }),
  ),
  utensils: sentText(10, 'Any value requests utensils. Used only with `where`.'),
  code: sentText(10, 'Any value requires a PIN. Used only with `where`.'),
};

/** GET and POST {tracking_url}/tracking/notes: a customer changes notes and apartment with the key of the link. */
export function notesRoutes(http: Http, deps: TrackingDeps): void {
  orderForm(http, deps, {
    name: 'notes',
    crossSite: "Notes can only be changed from their order's page.",
    cannot: pageAnswer('The order can no longer be changed, or the link lacks its `key`. A page says so.'),
    shows: {
      operationId: 'readNotesPage',
      summary: 'Open the page for changing notes and apartment',
      description: "Available until a driver has picked up the order, or a pickup is ready. Requires the link's `key`.",
    },
    takes: {
      operationId: 'submitNotesPage',
      summary: "Update an order's notes from its page",
      description:
        "The page's form sends this request. Like `POST /order/update`, it notifies the store, driver and courier. Repeating it changes nothing.",
      sent: { apt: '4B', notes: 'Ring twice, please' },
      fields: FIELDS,
      answers: { 422: pageAnswer('A text is too long. The page is shown again.') },
    },
    refusal: (page) => (page.visit.key === null || !isUpdatable(page.tracked.order) ? refusedPage(page) : undefined),
    show: (page) => ({ html: notesPage(page, typedOf(page.tracked.order)) }),
    async take(page, sent) {
      const typed = readTyped(sent);
      if (typed.apt.length > MAX_APT_LENGTH || typed.notes.length > MAX_NOTES_LENGTH) {
        return { status: 422, html: notesPage(page, typed) };
      }
      if (await isChanged(deps, page.tracked.order, typed)) return toOrder(page);
      return { status: 409, html: refusedPage(page) };
    },
  });
}

/** Changes the order; false if it was picked up in the meantime. */
async function isChanged(deps: TrackingDeps, { orderId, request }: Order, typed: Typed): Promise<boolean> {
  const { apt, notes, dropOff } = typed;
  const body =
    request.mode === 'pickup'
      ? { user_pickup_notes: notes }
      : { user_apt_num: apt, user_dropoff_notes: notes, ...(dropOff ? { drop_off: dropOff } : {}) };
  try {
    await updateOrder(deps, { orderId, body });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'transition_not_allowed') return false;
    throw error;
  }
}

function refusedPage({ frame, visit: { key }, tracked }: OrderVisit): string {
  const { notes } = frame.locale.words.customer;
  return notePage(frame, tracked, notes.cannot, key === null ? notes.openYourLink : notes.tooLate);
}

type Typed = Pick<Handover, 'dropOff' | 'notes'> & { apt: string };

const NotesFields = Type.Object(FIELDS);

/** Browsers send a line break as two characters; it counts as one. */
function readTyped({ apt = '', notes = '', where, utensils = '', code = '' }: Static<typeof NotesFields>): Typed {
  const dropOff = where ? { where, utensils: utensils !== '', code: code !== '' } : undefined;
  return { apt: apt.trim(), notes: notes.replaceAll(/\r\n?/g, '\n').trim(), dropOff };
}

const typedOf = (order: Order): Typed => ({ apt: order.request.customer.aptNum, ...handoverOf(order) });

/** Where a delivery is handed off, with utensils or without, and whether for the code. */
function dropOffFields({ dropOff }: Typed, order: Order, { words }: Locale): Html {
  const inPerson = isInPerson(fulfilledItems(order), toCollectCents(order) !== null);
  const places = DROP_OFF_PLACES.filter((place) => place !== 'leave_at_door' || !inPerson);
  const says = words.customer.dropOff;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${(dropOff?.where ?? '') === value && html` selected`}>${label}</option>`;
  const check = (name: string, label: string, isChecked = false) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked && ' checked'}> ${label}</label>`;
  return html`<div class="field"><label for="where">${says.title}</label>
<select id="where" name="where">${!dropOff && option('', '–')}${places.map((place) => option(place, says.where[place]))}</select>
${check('utensils', says.utensils, dropOff?.utensils)}
${check('code', says.wantsCode, dropOff?.code)}</div>`;
}

function notesPage({ frame, tracked, visit }: OrderVisit, fields: Typed): string {
  const { apt, notes: typed } = fields;
  const { words, format } = frame.locale;
  const { notes } = words.customer;
  const isDelivery = tracked.order.request.mode === 'delivery';
  const fault = (text: string, max: number) => text.length > max && notes.tooLong({ max: format.number(max) });
  const body = html`<p class="detail">${isDelivery ? notes.leadDelivery : notes.leadPickup}</p>
<form method="post" action="${frame.pagePath}/notes">
${linkFields(tracked, visit)}
${
  isDelivery &&
  html`${formField(
    { id: 'apt', label: notes.apt, fault: fault(apt, MAX_APT_LENGTH) },
    (aria) =>
      html`<input id="apt" name="apt" maxlength="${MAX_APT_LENGTH}" autocomplete="address-line2" value="${apt}"${aria}>`,
  )}
${dropOffFields(fields, tracked.order, frame.locale)}`
}
${formField(
  { id: 'notes', label: isDelivery ? notes.forDriver : notes.forStore, fault: fault(typed, MAX_NOTES_LENGTH) },
  (aria) => html`<textarea id="notes" name="notes" rows="4" maxlength="${MAX_NOTES_LENGTH}"${aria}>${typed}</textarea>`,
)}
<button type="submit" id="save-notes" class="action main">${notes.save}</button>
</form>`;
  return formDocument(frame, notes.title, body);
}
