import { readForm as readFields } from '../../platform/http/form-body.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { invalidRequest as refuse } from '../../platform/http/request-schema.ts';

/*
 * Tools for every plug-in's adapters: calls within a time and a size, checks of answers that may be
 * anything, and errors of the calls that they read.
 */

export { changedNotes } from '../../fulfillment/deliveries/couriers/courier-job.ts';
export { isPlainAddress } from '../../notify/outbox/mailbox.ts';
export { brandByName } from '../../ordering/payments/card.ts';
export {
  codeWord,
  isJsonObject,
  type JsonObject,
  listIn,
  memberOf,
  objectIn,
  objectsIn,
  parseJsonObject,
  parseJsonObjects,
} from '../../platform/lib/json-object.ts';
export { splitInProportion, sumCents } from '../../platform/lib/money.ts';
export { oncePerMinute } from '../../platform/lib/once-per-minute.ts';
export { headerText, httpUrl } from '../../platform/lib/parse-setting.ts';
export { e164Of, readE164, readPhone } from '../../platform/lib/phone.ts';
export { randomId } from '../../platform/lib/random-id.ts';
export { sha256 } from '../../platform/lib/sha256.ts';
export { epochSeconds, instantOfEpochSeconds, isoSeconds } from '../../platform/lib/time.ts';
export { localityOfRecord } from '../../supply/addresses/postal-areas.ts';
export { PHOTO_SIZES } from '../../supply/photos/photo.ts';
export { isPlaceOpen } from '../../supply/places/is-place-open.ts';
export { PLACE_STATUSES, shortText, textIn, webUrl } from '../../supply/places/place.ts';
export { MAX_PLACES } from '../../supply/places/place-directory.ts';
export { UNNAMED_TAX } from '../../supply/pricing/taxes.ts';
export { MINUTES_PER_DAY, MINUTES_PER_WEEK, weekOfRanges } from '../../supply/stores/hours.ts';
export { EXPECTED_REGION } from '../../supply/stores/region.ts';
export { readStreet, writeStreet } from '../../supply/stores/street-address.ts';
export { STREET_WORDS } from '../../supply/stores/street-words.ts';
export {
  type CompanyAnswer,
  courierAnswers,
  isDone,
  readAnswer,
  readCents,
  readCurrency,
  readHttpsUrl,
  readInstant,
  readLatLng,
  readPosition,
  readText,
  retryableError,
  undecided,
  unreadableAnswer,
  updateOf,
} from './company-answer.ts';
export {
  callGeocoder,
  GEOCODER,
  type GeocoderOptions,
  geocodeBy,
  locatedAddresses,
  pacedGeocoder,
  quotaUsedUp,
  type StatedResult,
  unreadable,
} from './geocoder-call.ts';
export {
  type BytesAnswer,
  checkReadable,
  fetchBytes,
  fetchText,
  jsonRequest,
  PartyRefused,
  readParty,
  type TextAnswer,
} from './outside-call.ts';
export { goodsOfShops, parseShopWords, type StoreKind, sellsFood, words } from './shop-words.ts';

/** The fields of a form. Throws an error if it is not UTF-8, has too many, or has one twice. */
export const readForm: (bytes: Buffer) => Record<string, string> = readFields;

/** Throw it where a call is wrong, or not by its party: the response returns 400 with these errors. */
export const invalidRequest: (faults: readonly Fault[]) => Error = refuse;
