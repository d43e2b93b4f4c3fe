/*
 * Tools for readers of menus and feeds: files, the limits of a feed's fields, prices, hours, and notes of the parts of
 * a record that could not be read.
 */

export { formatPrice } from '../../platform/lib/money.ts';
export { cleanText } from '../../platform/lib/plain-text.ts';
export {
  fileSize,
  type HeadCheck,
  openBytes,
  UnreadableFile,
  wrapReadErrors,
} from '../../platform/lib/read-bytes.ts';
export { openLines, type TextLine } from '../../platform/lib/read-lines.ts';
export { addressFault } from '../../supply/addresses/address-parameter.ts';
export { isPostalCodeApart, isRegionApart } from '../../supply/addresses/postal-areas.ts';
export { readSourceFood } from '../../supply/imports/food-facts.ts';
export {
  headCheck,
  MAX_STAGED_CHARACTERS,
  MAX_STAGED_ROWS,
  type NamedFormat,
  plainNameOf,
} from '../../supply/imports/formats.ts';
export {
  DATED_SPECS_LIMIT,
  type DatedSpec,
  EXCEPTIONS_LIMIT,
  lineExceptions,
  localityOfLine,
  type OpenRange,
  type OpenSpec,
  rangesOfSpecs,
  rangesOfWeek,
  rangesOn,
  readDatedSpec,
  UNREADABLE,
  weekdayHours,
} from '../../supply/imports/opening-specs.ts';
export { farPosition } from '../../supply/imports/parse-delivery.ts';
export { type ParsedStoreLine, rejectedLine } from '../../supply/imports/parse-store-line.ts';
export { readJson } from '../../supply/imports/read-json.ts';
export {
  currencyFault,
  PRICED_MODES,
  priceVariants,
  readPrice,
  type Variant,
} from '../../supply/imports/read-price.ts';
export {
  type AddOn,
  containsItself,
  createPlaceCounter,
  createPlacedIds,
  createSourceNotes,
  feedId,
  hasTooManyOptions,
  type PlacedIds,
  type SourceNotes,
  soldOptions,
} from '../../supply/imports/source-notes.ts';
export { storeOfPlace } from '../../supply/places/store-of-place.ts';
export { FEED_LIMITS, type LineFault } from '../../supply/stores/feed-fields.ts';
export { type DatedRanges, mergeDay, weekdayOfDay } from '../../supply/stores/hours.ts';
export { hoursWarnings, readDays, readHours } from '../../supply/stores/read-hours.ts';
export type { Country, Mode } from '../../supply/stores/store.ts';
export { partsOfStore, writeAddress } from '../../supply/stores/street-address.ts';
