import { type Static, Type } from 'typebox';
import { type Handover, handoverOf } from '../../ordering/order/drop-off.ts';
import { DROP_OFF_PLACES, type Order } from '../../ordering/order/order.ts';
import { isUpdatable } from '../../ordering/order/order-view.ts';
import { updateOrder } from '../../ordering/place/update-order.flow.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { withForms } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type Html, html } from '../../platform/lib/html.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { customerForm, seeOther, sentText } from './customer-forms.route.ts';
import { LinkSchema, type Visit } from './find-tracked.flow.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { type Frame, formDocument, linkFields, notePage } from './tracking.page.ts';
import { missingOrProblem, type TrackingDeps } from './tracking.route.ts';

const MAX_APT_LENGTH = 50;
const MAX_NOTES_LENGTH = 1000;

const NotesForm = Type.Object({
  ...LinkSchema.properties,
  apt: sentText(400, `Apartment, suite or floor of a delivery, up to ${MAX_APT_LENGTH} characters.`),
  notes: sentText(8000, `For the driver, or for the store of a pickup, up to ${MAX_NOTES_LENGTH} characters.`),
  where: Type.Optional(
    Type.Enum([...DROP_OFF_PLACES, ''], { description: 'Where a delivery is handed over; empty: as it is.' }),
  ),
  utensils: sentText(10, 'Not empty: with utensils. Counts beside `where`.'),
  code: sentText(10, 'Not empty: only for the code. Counts beside `where`.'),
});

const page = (description: string) => contentAnswer(description, ['text/html']);
const NONE = pageOrProblem('No order has this `tracking_id`');
const CANNOT = page('The order is under way or has ended, or the link has no `key`: a page says so.');

const askSchema = {
  operationId: 'readNotesPage',
  tags: ['Tracking'],
  summary: 'The page on which a customer changes notes and apartment',
  description: 'Until a driver has picked the order up, or a pickup is ready; needs the `key` of the link.',
  example: { query: { tracking_id: '{order_id}', key: '{key}' } },
  querystring: LinkSchema,
  response: { 200: page('The page.'), 404: NONE, 409: CANNOT },
};
const submitSchema = {
  operationId: 'submitNotesPage',
  tags: ['Tracking'],
  summary: 'What the form of that page sends: store, driver and courier learn of it',
  description: 'As `POST /order/update`. Sent again, it changes nothing.',
  example: { body: { tracking_id: '{order_id}', key: '{key}', apt: '4B', notes: 'Ring twice, please' } },
  consumes: ['application/x-www-form-urlencoded'],
  body: NotesForm,
  response: {
    303: emptyAnswer('To the page of the order.', { Location: { type: 'string', description: 'The page.' } }),
    404: NONE,
    409: CANNOT,
    422: page('A text is too long: the page again.'),
  },
};

/** GET and POST {tracking_url}/tracking/notes: a customer changes notes and apartment with the key of the link. */
export function notesRoutes(http: Http, deps: TrackingDeps): void {
  const { readOptions, submitOptions, begin } = customerForm(deps, []);
  http.get('/tracking/notes', { schema: askSchema, ...readOptions }, async (request, reply) => {
    const { query, headers } = request;
    const { frame, visit, tracked } = await begin(request, query, reply);
    if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
    if (!mayChange(visit, tracked)) return reply.code(409).send(refusedPage(frame, visit, tracked));
    return reply.send(notesPage(frame, tracked, visit, typedOf(tracked.order)));
  });
  withForms(http, (scope) => {
    scope.post('/tracking/notes', { schema: submitSchema, ...submitOptions }, async (request, reply) => {
      const { headers, body } = request;
      const started = await begin(request, body, reply, 'Notes can be changed only from the page of their order.');
      const { frame, visit, tracked } = started;
      if (!tracked) return reply.code(404).send(missingOrProblem(frame, headers.accept));
      if (!mayChange(visit, tracked)) return reply.code(409).send(refusedPage(frame, visit, tracked));
      const typed = readTyped(body);
      if (typed.apt.length > MAX_APT_LENGTH || typed.notes.length > MAX_NOTES_LENGTH) {
        return reply.code(422).send(notesPage(frame, tracked, visit, typed));
      }
      if (await isChanged(deps, tracked.order, typed)) return seeOther(reply, frame);
      return reply.code(409).send(refusedPage(frame, visit, tracked));
    });
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

function mayChange({ key }: Visit, { order }: TrackedOrder): boolean {
  return key !== null && isUpdatable(order);
}

function refusedPage(frame: Frame, { key }: Visit, tracked: TrackedOrder): string {
  const { notes } = frame.locale.words.customer;
  return notePage(frame, tracked, notes.cannot, key === null ? notes.openYourLink : notes.tooLate);
}

type Typed = Pick<Handover, 'dropOff' | 'notes'> & { apt: string };

/** Browsers send a line break as two characters; it counts as one. */
function readTyped({ apt = '', notes = '', where, utensils = '', code = '' }: Static<typeof NotesForm>): Typed {
  const dropOff = where ? { where, utensils: utensils !== '', code: code !== '' } : undefined;
  return { apt: apt.trim(), notes: notes.replaceAll(/\r\n?/g, '\n').trim(), dropOff };
}

const typedOf = (order: Order): Typed => ({ apt: order.request.customer.aptNum, ...handoverOf(order) });

/** Where a delivery is handed over, with utensils or without, and whether for the code. */
function dropOffFields({ dropOff }: Typed, { words }: Locale): Html {
  const says = words.customer.dropOff;
  const option = (value: string, label: string) =>
    html`<option value="${value}"${(dropOff?.where ?? '') === value && html` selected`}>${label}</option>`;
  const check = (name: string, label: string, isChecked = false) =>
    html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked && ' checked'}> ${label}</label>`;
  return html`<div class="field"><label for="where">${says.title}</label>
<select id="where" name="where">${!dropOff && option('', '–')}${DROP_OFF_PLACES.map((place) => option(place, says.where[place]))}</select>
${check('utensils', says.utensils, dropOff?.utensils)}
${check('code', says.wantsCode, dropOff?.code)}</div>`;
}

function notesPage(frame: Frame, tracked: TrackedOrder, visit: Visit, fields: Typed): string {
  const { apt, notes: typed } = fields;
  const { words, format } = frame.locale;
  const { notes } = words.customer;
  const isDelivery = tracked.order.request.mode === 'delivery';
  const fault = (length: number, max: number, id: string) =>
    length > max && html`<p class="fault" id="${id}">${notes.tooLong({ max: format.number(max) })}</p>`;
  const marked = (length: number, max: number, id: string) =>
    length > max && html` aria-invalid="true" aria-describedby="${id}"`;
  const body = html`<p class="detail">${isDelivery ? notes.leadDelivery : notes.leadPickup}</p>
<form method="post" action="${frame.pagePath}/notes">
${linkFields(tracked, visit)}
${
  isDelivery &&
  html`<div class="field"><label for="apt">${notes.apt}</label>
<input id="apt" name="apt" maxlength="${MAX_APT_LENGTH}" autocomplete="address-line2" value="${apt}"${marked(apt.length, MAX_APT_LENGTH, 'apt-fault')}>
${fault(apt.length, MAX_APT_LENGTH, 'apt-fault')}</div>
${dropOffFields(fields, frame.locale)}`
}
<div class="field"><label for="notes">${isDelivery ? notes.forDriver : notes.forStore}</label>
<textarea id="notes" name="notes" rows="4" maxlength="${MAX_NOTES_LENGTH}"${marked(typed.length, MAX_NOTES_LENGTH, 'notes-fault')}>${typed}</textarea>
${fault(typed.length, MAX_NOTES_LENGTH, 'notes-fault')}</div>
<button type="submit" id="save-notes" class="action main">${notes.save}</button>
</form>`;
  return formDocument(frame, notes.title, body);
}
