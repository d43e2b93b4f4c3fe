import { type Parsed, parseHelpUrl } from './branding-fields.ts';

/** The ids that a template of a reorder link names. */
export type ReorderIds = { order_id: string; store_id: string; customer_order_id: string };

const MAX_TEMPLATE = 1000;
const PLACEHOLDER = /\{(order_id|store_id|customer_order_id)\}/g;

/**
 * A template of the link that orders the same again: an https URL whose path, query or fragment may hold {order_id},
 * {store_id} and {customer_order_id}. Its host is fixed. Comes back as it was given: the URL standard would encode braces.
 */
export function parseReorderUrl(text: string): Parsed<string> {
  const template = text.trim();
  const [first, second] = ['a', 'b'].map((id) => template.replace(PLACEHOLDER, id));
  if (/[{}]/.test(first ?? '')) {
    return { fault: 'It holds another placeholder than {order_id}, {store_id} and {customer_order_id}.' };
  }
  const parsed = parseHelpUrl(first ?? '');
  if ('fault' in parsed) return parsed;
  if (URL.parse(first ?? '')?.origin !== URL.parse(second ?? '')?.origin)
    return { fault: 'It has a placeholder in its host.' };
  return template.length > MAX_TEMPLATE
    ? { fault: `It has more than ${MAX_TEMPLATE} characters.` }
    : { value: template };
}

/** The link of one order. */
export function reorderUrlOf(template: string, ids: ReorderIds): string {
  return template.replace(PLACEHOLDER, (_, name: keyof ReorderIds) => encodeURIComponent(ids[name]));
}
