import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { metersBetween } from 'doorstep/search-engine/geography';
import { type Static, Type } from 'typebox';
import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { advanceOrder, type StepDetails } from '../../ordering/order/advance-order.ts';
import { doorOf, driverPositionOf, isOnTheWay } from '../../ordering/order/arrival.ts';
import { COLLECTED_CENTS, checkHandoverCode, HANDOVER_CODE } from '../../ordering/order/handover-code.flow.ts';
import type { Driver, Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { lockOrder, saveProgress } from '../../ordering/order/orders.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { component, describedObject, flag, optionalNumber } from '../../platform/http/api-components.ts';
import { contentAnswer, emptyAnswer, pageOrProblem } from '../../platform/http/content-answers.ts';
import { readForm } from '../../platform/http/form-body.ts';
import type { Http } from '../../platform/http/http.ts';
import { parseLater } from '../../platform/http/parse-request.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { pageSecurity } from '../../platform/http/security-headers.ts';
import { serveWebFiles } from '../../platform/http/send-web-file.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import { LANG, pageLanguage } from '../../platform/languages/page-language.ts';
import { bundleOnce } from '../../platform/lib/bundle-once.cache.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { qrCodeSvg } from '../../platform/lib/qr-code.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { convertPhoto } from '../../supply/photos/convert-photo.flow.ts';
import { EXAMPLE_DOOR } from '../../supply/stores/example-store.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { type DriverFrame, driverPage, missingDriverPage } from './driver.page.ts';
import { findDelivery, linkNotFound, linkOf, readDelivery } from './driver-delivery.flow.ts';
import { CALLS_PER_MINUTE, type DriverLink, isLinkAlive, limitLink } from './driver-link.ts';
import { MAX_ACCURACY_METERS, MAX_AGE_SECONDS } from './driver-location.ts';
import { driverState, type PhoneSettings } from './driver-view.ts';
import { mapAppOf } from './map-link.ts';
import type { Position } from './position.ts';
import { savePhoto } from './proofs.db.ts';
import { createPositionReports } from './report-position.flow.ts';
import { requireIdCheck } from './require-id-check.flow.ts';
import { findMapFiles } from './street-map.flow.ts';
import { mapPolicy } from './street-map.ts';
import { readTrackerReport, TrackerBody, TrackerQuery, trackerBodyOf } from './tracker-report.ts';

/*
 * The page of a store's own driver: its content, the driver's steps, the phone's positions, and the photo at the
 * address. The link's token is the permission; no route takes a key.
 */

type DriverDeps = { config: Config; clock: Clock; db: Db; tokens: TokenSealer };
type PhotoDeps = DriverDeps & { photoTurns: ConcurrencyLimiter };

const LinkParams = Type.Object({ token: Type.String({ description: 'The token in the driver’s link.' }) });
/** `?lang=` of a response with texts of the page, in the page's language, by default the phone's. */
const LangQuery = Type.Object(LANG);

/** Returns settings from the phone's headers, and the language chosen on the page. */
function phoneOf({ query, headers }: { query: Static<typeof LangQuery>; headers: IncomingHttpHeaders }): PhoneSettings {
  return { maps: mapAppOf(headers['user-agent']), language: pageLanguage([query.lang], headers['accept-language']) };
}

const driverSecurity = ({ baseUrl, mapTiles }: Pick<Config, 'baseUrl' | 'mapTiles'>) =>
  pageSecurity(baseUrl, mapTiles && mapPolicy(mapTiles));

const markup = Type.String({ description: 'A fragment of the page.' });

const DriverStateSchema = component('DriverState', 'A delivery as the driver’s page shows it.', {
  stage: Type.Enum(['assigned', 'accepted', 'picked_up', 'nearby', 'delivered'], {
    description: "The delivery's current stage.",
  }),
  parts: describedObject("The page's changed parts, by their element IDs.", {
    now: markup,
    stops: markup,
    proof: markup,
    behind: markup,
    action: markup,
  }),
});

const FOLDER = join(import.meta.dirname, '../../../web/driver');

/** Files of the driver's page, bundled once per process. */
export const driverFiles = bundleOnce(FOLDER, { script: 'page.ts', style: 'page.css', icon: 'icon.svg' }, LANGUAGES);

/** The page may use the phone's position and no other sensor. The photo is taken by the phone's camera app. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'permissions-policy': 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, accept-language',
};

const pageSchema = {
  operationId: 'readDriverPage',
  summary: "Open the page for a delivery's driver",
  description:
    "Shows a page for a phone: the address, the order and the delivery's steps. The link authorizes the request.",
  params: LinkParams,
  querystring: LangQuery,
  response: {
    200: contentAnswer("The delivery's page.", ['text/html']),
    404: pageOrProblem('The link does not work, or not any more'),
  },
};

const stateSchema = {
  operationId: 'readDriverState',
  summary: "Get the driver page's current state",
  description: 'The page requests it repeatedly during the delivery.',
  params: LinkParams,
  querystring: LangQuery,
  response: { 200: DriverStateSchema },
};

const codeSchema = {
  operationId: 'readDriverCode',
  summary: "Get the driver's link as a QR code",
  description: "For the store's console: the driver scans it with the phone's camera.",
  params: LinkParams,
  response: { 200: contentAnswer('The code.', ['image/svg+xml']) },
};

/** GET /driver/{token}: the page. GET …/state: its parts, for its script. GET …/code.svg: its link as a QR code. */
function driverRoutes(http: Http, deps: DriverDeps): void {
  const security = driverSecurity(deps.config);
  const count = limitLink(CALLS_PER_MINUTE, deps.clock);
  const config = { public: true, refuses: ['order_not_found', 'rate_limited', 'not_ready'] } as const;
  http.get('/driver/:token', { schema: pageSchema, config, security }, async (request, reply) => {
    const { token } = request.params;
    count(token);
    const delivery = await findDelivery(deps, token);
    reply.headers(PAGE_HEADERS);
    if (!delivery && prefersJson(request.headers.accept)) throw linkNotFound();
    const phone = phoneOf(request);
    const frame = await readFrame(deps, phone, token);
    reply.statusCode = delivery ? 200 : 404;
    reply.header('content-language', phone.language);
    const page = delivery
      ? driverPage(frame, delivery, phone)
      : missingDriverPage(frame, localeOf(phone.language, 'US'));
    return reply.type('text/html; charset=utf-8').send(page);
  });
  http.get('/driver/:token/state', { schema: stateSchema, config, security }, async (request) => {
    const { token } = request.params;
    count(token);
    const delivery = await findDelivery(deps, token);
    if (!delivery) throw linkNotFound();
    return driverState(delivery, phoneOf(request));
  });
  http.get(
    '/driver/:token/code.svg',
    { schema: codeSchema, config, security },
    async ({ params: { token } }, reply) => {
      count(token);
      if (!(await findDelivery(deps, token))) throw linkNotFound();
      return reply.type('image/svg+xml').send(qrCodeSvg(`${deps.config.baseUrl}/driver/${token}`));
    },
  );
}

/** Paths include the path of BASE_URL. */
async function readFrame(
  { config: { baseUrl, mapTiles } }: Pick<DriverDeps, 'config'>,
  { language }: PhoneSettings,
  token: string,
): Promise<DriverFrame> {
  const files = (await driverFiles()).inLanguage(language);
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const pathOf = ({ name }: { name: string }) => `${base}/driver/assets/${name}`;
  return {
    iconPath: pathOf(files.icon),
    scriptPath: pathOf(files.script),
    stylePath: pathOf(files.style),
    mapFiles: await findMapFiles(mapTiles, base),
    link: `${baseUrl}/driver/${token}`,
  };
}

function driverFilesRoute(http: Http, { config }: Pick<DriverDeps, 'config'>): void {
  const page = { folder: '/driver/assets', operationId: 'readDriverFile', page: "the driver's page" };
  serveWebFiles(http, { ...page, bundles: [driverFiles], security: driverSecurity(config) });
}

const AGE_SECONDS = Type.Optional(Type.Number({ minimum: 0, description: "The position's age." }));
/** Returns the moment of a phone's position, in epoch seconds. */
const measuredBefore = (now: Temporal.Instant, ageSeconds = 0) => now.epochMilliseconds / 1000 - ageSeconds;

const StepBody = Type.Object(
  {
    latitude: optionalNumber(-90, 90, "The phone's latitude. Requires `longitude`."),
    longitude: optionalNumber(-180, 180, "The phone's longitude. Requires `latitude`."),
    age_seconds: AGE_SECONDS,
    id_checked: flag('With `complete`: the driver has seen an ID. Needed for an order with alcohol.'),
    code: HANDOVER_CODE,
    collected_cents: COLLECTED_CENTS,
  },
  { dependentRequired: { latitude: ['longitude'], longitude: ['latitude'] } },
);

const STEPS: Readonly<Record<DriverStep, { operationId: string; summary: string }>> = {
  accept: { operationId: 'acceptDelivery', summary: 'Accept the delivery as its driver' },
  pick_up: { operationId: 'pickUpDelivery', summary: 'Mark the order as picked up' },
  complete: { operationId: 'completeDelivery', summary: 'Mark the order as delivered' },
};

const STEP_REFUSALS = [
  'order_not_found',
  'transition_not_allowed',
  'weights_missing',
  'rate_limited',
  'not_ready',
  'body_too_large',
  'unsupported_media_type',
] as const;

/** POST /driver/{token}/accept, /pick_up and /complete. A repeated step returns 200 and changes nothing. */
function driverStepsRoutes(http: Http, deps: DriverDeps): void {
  const count = limitLink(CALLS_PER_MINUTE, deps.clock);
  for (const step of ['accept', 'pick_up', 'complete'] as const) {
    const schema = {
      ...STEPS[step],
      description: 'Repeating a completed step returns 200 and changes nothing. The link authorizes the request.',
      example: { body: EXAMPLE_DOOR },
      params: LinkParams,
      querystring: LangQuery,
      body: StepBody,
      response: { 200: DriverStateSchema },
    };
    const refuses =
      step === 'complete' ? ([...STEP_REFUSALS, 'id_check_required', 'wrong_code'] as const) : STEP_REFUSALS;
    http.post(
      `/driver/:token/${step}`,
      { schema, config: { public: true, refuses }, security: driverSecurity(deps.config) },
      async (request) => {
        const { params, body } = request;
        count(params.token);
        const { latitude, longitude, id_checked: idChecked, code, collected_cents: collectedCents } = body;
        const updatedEpochS = measuredBefore(deps.clock.now(), body.age_seconds);
        const isPlaced = latitude !== undefined && longitude !== undefined;
        const position = isPlaced ? { latitude, longitude, updatedEpochS } : undefined;
        const order = await takeDriverStep(deps, linkOf(deps.tokens, params.token), step, {
          position,
          idChecked,
          code,
          collectedCents,
        });
        return driverState(await readDelivery(deps.db, order, deps.clock.now()), phoneOf(request));
      },
    );
  }
}

type DriverStep = 'accept' | 'pick_up' | 'complete';

/** Report of a driver's step: the phone's position, whether an ID was checked, the customer's PIN, and the cash. */
type StepReport = {
  position?: (Position & Pick<Driver, 'updatedEpochS'>) | undefined;
  idChecked?: boolean | undefined;
  code?: string | undefined;
  collectedCents?: number | undefined;
};

/**
 * Takes a step for the driver of the link; a repeated step changes nothing. Refuses with order_not_found once the link
 * has ended, with transition_not_allowed, id_check_required and wrong_code.
 */
async function takeDriverStep(
  { db, clock }: Pick<OrderDeps, 'db' | 'clock'>,
  { orderId, link }: DriverLink,
  step: DriverStep,
  report: StepReport,
): Promise<Order> {
  const now = clock.now();
  const outcome = await db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, orderId);
    // A phone that missed the response repeats the last step after the link has expired.
    const isRepeated = step === 'complete' && order?.status === 'completed' && order.driverLink === link;
    if (order && isRepeated) return order;
    if (!order || !isLinkAlive(order, link)) throw linkNotFound();
    return TAKE[step](tx, order, report, now);
  });
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

type Take = (tx: Sql, order: Order, report: StepReport, now: Temporal.Instant) => Promise<Order | Refusal>;

const TAKE: Readonly<Record<DriverStep, Take>> = {
  async accept(tx, order, _report, now) {
    if (order.driver.acceptedEpochS !== undefined) return order;
    const accepted = withAcceptance(order, now);
    await saveProgress(tx, accepted);
    return accepted;
  },
  async pick_up(tx, order, report, now) {
    if (isOnTheWay(order)) return order;
    return recordStep(tx, advanceOrder(withAcceptance(order, now), 'pick_up', now, placeOf(report)), now);
  },
  async complete(tx, order, report, now) {
    const step = advanceOrder(order, 'complete', now, {
      ...placeOf(report),
      ...distanceOf(order, report),
      idCheckedBy: report.idChecked ? 'driver' : undefined,
      collectedCents: report.collectedCents,
      collectedBy: 'driver',
    });
    const refusal = await checkHandoverCode(tx, order, report.code);
    if (refusal) return refusal;
    await requireIdCheck(tx, order, report.idChecked ?? false, now);
    return recordStep(tx, step, now);
  },
};

/** Records the acceptance, because picking up also accepts the delivery. */
function withAcceptance(order: Order, now: Temporal.Instant): Order {
  return { ...order, driver: { acceptedEpochS: epochSeconds(now), ...order.driver } };
}

const placeOf = ({ position }: StepReport): StepDetails => (position ? { driver: position } : {});

/**
 * Returns the distance between driver and address for the event: a wrong position must not keep a driver from
 * completing, and a store can see a completion far from the address.
 */
function distanceOf(order: Order, { position = driverPositionOf(order) }: StepReport): StepDetails {
  const door = doorOf(order);
  return position && door ? { metersFromDoor: Math.round(metersBetween(position, door)) } : {};
}

/**
 * Maximum position reports per link and minute. A phone sends one every two to five seconds, and another after each
 * dead spot.
 */
export const POSITIONS_PER_MINUTE = 120;

const positionSchema = {
  operationId: 'reportPosition',
  summary: "Report the driver's position",
  description: `Updates \`tracking\`, the tracking page and the arrival time. Within 500 meters of the delivery address after pickup, records \`order.driver_nearby\` once. A phone reports every two to five seconds, and up to ${POSITIONS_PER_MINUTE} reports per minute are accepted.`,
  example: { body: { ...EXAMPLE_DOOR, course: 90, accuracy: 8, age_seconds: 0 } },
  params: LinkParams,
  body: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    course: optionalNumber(0, 360, "The driver's heading in degrees clockwise from north."),
    accuracy: Type.Optional(
      Type.Number({ minimum: 0, description: `Meters of accuracy. Above ${MAX_ACCURACY_METERS}, it's ignored.` }),
    ),
    age_seconds: Type.Optional(
      Type.Number({
        minimum: 0,
        description: `The position's age. A position older than ${MAX_AGE_SECONDS} seconds is ignored.`,
      }),
    ),
  }),
  response: {
    200: describedObject('The position was accepted.', {
      stage: Type.Enum(['assigned', 'picked_up', 'nearby'], { description: "The delivery's current stage." }),
    }),
    204: emptyAnswer('The position was ignored: inaccurate, too old, older than the newest, or an impossible jump.'),
  },
};

const POSITION_CONFIG = {
  public: true,
  refuses: ['order_not_found', 'rate_limited', 'not_ready', 'body_too_large', 'unsupported_media_type'],
} as const;
const MAX_POSITION_BYTES = 4096;

const trackerSchema = {
  operationId: 'reportTrackedPosition',
  summary: 'Report a position from a tracking app',
  description:
    'For OwnTracks in HTTP mode and Traccar Client, with the driver’s link as their URL. Moves the driver like `…/position`. Other messages from these apps are ignored.',
  example: { body: { _type: 'location', lat: EXAMPLE_DOOR.latitude, lon: EXAMPLE_DOOR.longitude, acc: 8, cog: 90 } },
  params: LinkParams,
  querystring: TrackerQuery,
  body: TrackerBody,
  response: { 200: Type.Array(Type.Unknown(), { maxItems: 0, description: 'An empty list, as OwnTracks expects.' }) },
};

/** POST /driver/{token}/position for the page, and POST /driver/{token} of tracking apps. */
function driverPositionRoutes(http: Http, deps: DriverDeps): void {
  const count = limitLink(POSITIONS_PER_MINUTE, deps.clock);
  const reportPosition = createPositionReports(deps);
  http.post(
    '/driver/:token/position',
    {
      schema: positionSchema,
      config: POSITION_CONFIG,
      bodyLimit: MAX_POSITION_BYTES,
      security: driverSecurity(deps.config),
    },
    async ({ params, body }, reply) => {
      count(params.token);
      const { age_seconds: ageSeconds, course, ...position } = body;
      const measuredEpochS = measuredBefore(deps.clock.now(), ageSeconds);
      const report = { ...position, measuredEpochS, course: course && Math.round(course) % 360 };
      const reported = await reportPosition({ ...linkOf(deps.tokens, params.token), report });
      if (reported.became === 'dead') throw linkNotFound();
      if (reported.became === 'ignored') return reply.code(204).send(undefined);
      return { stage: reported.stage };
    },
  );
  http.register(async (scope) => {
    parseLater(scope, 'application/x-www-form-urlencoded', (bytes) => trackerBodyOf(readForm(bytes)));
    (scope as unknown as Http).post(
      '/driver/:token',
      {
        schema: trackerSchema,
        config: POSITION_CONFIG,
        bodyLimit: MAX_POSITION_BYTES,
        security: driverSecurity(deps.config),
      },
      async ({ params, body, query }) => {
        count(params.token);
        const link = linkOf(deps.tokens, params.token);
        const report = readTrackerReport(body, query);
        if (report && (await reportPosition({ ...link, report })).became === 'dead') throw linkNotFound();
        return [];
      },
    );
  });
}

export const PHOTOS_PER_MINUTE = 10;
const MAX_PHOTO_BYTES = 1024 * 1024;
/** Longest side in pixels that keeps a door, a bag and a house number recognizable. */
const PROOF_MAX_SIDES = { whole: 1600 };

const photoSchema = {
  operationId: 'addDeliveryPhoto',
  summary: 'Upload a photo as proof of delivery',
  description:
    "A JPEG of up to 1 MiB. It's stored as WebP without metadata (location, phone, previews). A later photo replaces an earlier one.",
  consumes: ['image/jpeg'],
  params: LinkParams,
  querystring: LangQuery,
  body: Type.Unsafe<Buffer>({ description: "The JPEG's bytes." }),
  response: { 200: DriverStateSchema },
};

/** POST /driver/{token}/photo stores the proof-of-delivery photo, once the driver has the order. */
function driverPhotoRoute(http: Http, deps: PhotoDeps): void {
  const count = limitLink(PHOTOS_PER_MINUTE, deps.clock);
  http.register(async (scope: Http) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('image/jpeg', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/driver/:token/photo',
      {
        schema: photoSchema,
        config: { public: true, refuses: [...STEP_REFUSALS] },
        bodyLimit: MAX_PHOTO_BYTES,
        security: driverSecurity(deps.config),
        validatorCompiler: () => (value) => ({ value }),
      },
      async (request) => {
        const { params, body } = request;
        const now = deps.clock.now();
        count(params.token);
        const { orderId, link } = linkOf(deps.tokens, params.token);
        checkTakesPhoto((await findDelivery(deps, params.token))?.order, link);
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const converted = await deps.photoTurns.run(orderId, () => convertPhoto(bytes, PROOF_MAX_SIDES));
        if (converted.kind === 'refused') throw noJpeg();
        return deps.db.transaction().execute(async (tx) => {
          // Without the lock, a photo could be stored after the link has ended.
          const order = await lockOrder(tx, orderId);
          checkTakesPhoto(order, link);
          await savePhoto(tx, orderId, Buffer.from(converted.sizes.whole.bytes), now);
          return driverState(await readDelivery(tx, order, now), phoneOf(request));
        });
      },
    );
  });
}

function checkTakesPhoto(order: Order | undefined, link: number): asserts order is Order {
  if (!order || !isLinkAlive(order, link)) throw linkNotFound();
  if (order.driverStage !== 'assigned') return;
  throw new Refusal('transition_not_allowed', 'A photo can be taken only after the order is picked up.');
}

function noJpeg(): Refusal {
  const fault = { in: 'body', name: 'body', message: 'must be a whole JPEG' } as const;
  return new Refusal('invalid_request', 'The photo is not a complete JPEG.', { errors: [fault] });
}

/** The driver's page and its endpoints. */
export const DRIVER_ROUTES = [
  driverRoutes,
  driverStepsRoutes,
  driverPositionRoutes,
  driverPhotoRoute,
  driverFilesRoute,
];
