import { readFile } from 'node:fs/promises';
import { createPublicHttp, type PublicHttp } from 'doorstep/public-http';
import type { DnsLookup } from '../../access/accounts/dns-records.ts';
import type { IdentityProvider } from '../../access/sessions/identity-provider.ts';
import type { Couriers } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import { type Glyphs, parseHexGlyphs } from '../../fulfillment/tickets/hex-glyphs.ts';
import type { TicketPrinting } from '../../fulfillment/tickets/render-ticket.ts';
import { limitSmsReach } from '../../notify/messages/sms-reach.ts';
import { PRINT_TIMEOUT_MS } from '../../notify/outbox/hand-over.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { isJsonObject } from '../../platform/lib/json-object.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { failActiveSpan, inSpan, setActiveSpanAttributes } from '../../platform/lib/tracing.ts';
import { CircuitBreaker } from '../../platform/load/circuit-breaker.ts';
import type { Geocoder } from '../../supply/addresses/geocoder.ts';
import type { PhotoBucket } from '../../supply/photos/photo.ts';
import { NO_PLACES, type PlaceDirectory } from '../../supply/places/place-directory.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
import type { TileArchive } from '../../surfaces/tracking/tile-archive.ts';
import { createDnsResolver } from '../adapters/dns-resolver.ts';
import { AT_ONCE, COURIER, MAIL, PHOTOS, PLACES, PRINTING, SMS, TAX } from '../adapters/guard-port.ts';
import { mailFrame } from '../adapters/mail-frame.ts';
import type { Connections } from './open-connections.ts';
import { openGateways } from './open-gateways.ts';
import { guarded, openChosen, openEach, openGeocoder, openNamed } from './open-plugins.ts';
import type { ServiceOptions } from './service-options.ts';

/**
 * Opens one adapter per external service, its own or a plug-in's, and wraps each port: spans, counters, circuit
 * breakers, and look-ups only on a quiet node.
 */

export type Adapters = {
  gateways: Gateways;
  /** Computes the taxes of live orders; undefined where they are the store's. */
  taxes: TaxCalculator | undefined;
  messaging: Messaging;
  /** Gateways of courier companies, by the names that stores choose. */
  couriers: Couriers;
  /** Looks up places that are not added yet. */
  placeDirectory: PlaceDirectory;
  /** Looks up addresses; undefined without one. */
  geocoder: Geocoder | undefined;
  printing: TicketPrinting;
  /** Keeps the files of photos; undefined keeps them in the database. */
  photoBucket: PhotoBucket | undefined;
  /** Tiles of the map, if they are in a local file. */
  tileArchive: TileArchive | undefined;
  /** Calls URLs set by accounts, on public hosts only. */
  publicHttp: PublicHttp;
  lookUpDns: DnsLookup;
  /** Undefined without single sign-on. */
  identityProvider: IdentityProvider | undefined;
};

/** Opens an adapter for each configured external service. */
export async function openAdapters(
  options: ServiceOptions,
  deps: Pick<Connections, 'gatewayDb' | 'quietBecause'> & { reportLeftOut: ReportLeftOut; metrics: Metrics },
  opened: AsyncDisposableStack,
): Promise<Adapters> {
  const { config } = options;
  const { gatewayDb, quietBecause, reportLeftOut, metrics } = deps;
  const mailer = await openChosen(options, config.mailer, ({ mailers }) => mailers, ['mail', MAIL]);
  const sms = await openNamed(options, ({ sms: senders }) => senders, config.smsSender);
  opened.defer(() => mailer?.close());
  const publicHttp = createPublicHttp({ allowPrivate: config.webhookAllowPrivate, ...options.publicHttp });
  opened.defer(() => publicHttp.close());
  const adapters: Adapters = {
    gateways: await openGateways(options, gatewayDb),
    taxes: await openChosen(options, config.taxService, (plugin) => plugin.taxes, ['tax service', TAX]),
    messaging: {
      frame: mailFrame,
      mailer,
      smsSender: sms && limitSmsReach(guarded('SMS', config.smsSender ?? '', sms.sender, SMS), config.smsCountries),
      smsReplies: sms?.replies,
      textFrom: config.textFrom,
    },
    printing: {
      printers: await openEach(options, ({ printers }) => printers, ['printer', PRINTING, PRINT_GUARD_MS]),
      glyphs: await readGlyphs(config.printerFont),
    },
    couriers: await openEach(options, ({ couriers }) => couriers, ['courier', COURIER]),
    placeDirectory:
      (await openChosen({ ...options, reportLeftOut }, config.placeDirectory, ({ directories }) => directories, [
        'place directory',
        PLACES,
      ])) ?? NO_PLACES,
    geocoder: await openGeocoder(options),
    photoBucket: await openChosen(options, config.photoBucket, ({ photos }) => photos, ['photo bucket', PHOTOS]),
    tileArchive: await openTileArchive(options),
    publicHttp,
    lookUpDns: createDnsResolver(),
    identityProvider: await openIdentityProvider(options),
  };
  const calling = withCounts(adapters, metrics);
  const broken = wrapPorts(calling, withCircuitBreaker(options.clock));
  // The queues of messages, prints and photos retry by their own schedules; the sandbox is this service's own.
  const { messaging, printing, photoBucket } = calling;
  const gateways = { ...broken.gateways, sandbox: adapters.gateways.sandbox };
  const bounded = { ...broken, gateways, messaging, printing, photoBucket, publicHttp: calling.publicHttp };
  const allowed = quietBecause === undefined ? bounded : wrapPorts(bounded, closedBecause(quietBecause));
  if (!config.tracer) return allowed;
  return wrapPorts({ ...allowed, publicHttp: withOutcomes(allowed.publicHttp) }, traced);
}

async function openIdentityProvider({ config }: ServiceOptions): Promise<IdentityProvider | undefined> {
  if (!config.openid) return undefined;
  const { createOpenid } = await import('../adapters/openid.ts');
  return createOpenid({ ...config.openid, redirectUrl: `${config.baseUrl}/console/operator/openid/callback` });
}

/** A worker node sends no tiles, so it opens no file. */
async function openTileArchive({ config, role }: ServiceOptions): Promise<TileArchive | undefined> {
  if (!config.mapTiles || 'url' in config.mapTiles || role === 'worker') return undefined;
  const { openPmtilesFile } = await import('../adapters/pmtiles-file.ts');
  return openPmtilesFile(config.mapTiles.file);
}

/** Reads the glyphs of PRINTER_FONT; an unreadable file stops the start. */
async function readGlyphs(file: string | undefined): Promise<Glyphs | undefined> {
  return file === undefined ? undefined : parseHexGlyphs(await readFile(file, 'utf8'));
}

/** Later than a print is aborted, as the printer then says whether part of it may be on paper. */
const PRINT_GUARD_MS = PRINT_TIMEOUT_MS + 5000;

const FIRST_FAULT = 400;

type WrapPort = <Port extends object>(party: string, port: Port) => Port;

function wrapPorts(adapters: Adapters, wrap: WrapPort): Adapters {
  const { gateways, taxes, messaging, couriers, placeDirectory, geocoder, photoBucket, printing, ...others } = adapters;
  const { mailer, smsSender } = messaging;
  const wrapEach = <Port extends object>(party: string, ports: ReadonlyMap<string, Port>) =>
    new Map(ports.entries().map(([name, port]) => [name, wrap(party, port)]));
  return {
    ...others,
    gateways: {
      ...gateways,
      sandbox: wrap('payment gateway', gateways.sandbox),
      live: gateways.live && wrap('payment gateway', gateways.live),
    },
    taxes: taxes && wrap('tax service', taxes),
    messaging: { ...messaging, mailer: mailer && wrap('mail', mailer), smsSender: smsSender && wrap('SMS', smsSender) },
    couriers: wrapEach('courier', couriers),
    placeDirectory: wrap('place directory', placeDirectory),
    geocoder: geocoder && wrap('geocoder', geocoder),
    photoBucket: photoBucket && wrap('photo bucket', photoBucket),
    printing: { ...printing, printers: wrapEach('printer', printing.printers) },
    publicHttp: wrap('endpoint', others.publicHttp),
  };
}

/** Counts the calls that leave this machine: not those to the sandbox's gateway. */
function withCounts(adapters: Adapters, metrics: Metrics): Adapters {
  const counted = countedBy(metrics);
  const { gateways, ...others } = wrapPorts(adapters, counted);
  return {
    ...others,
    gateways: { ...gateways, sandbox: adapters.gateways.sandbox },
    identityProvider: adapters.identityProvider && counted('single sign-on', adapters.identityProvider),
  };
}

type Operation = (...call: unknown[]) => unknown;

function wrapOperations<Port extends object>(port: Port, wrap: (name: string, run: Operation) => Operation): Port {
  const operations = Object.entries(port).filter(([, member]) => typeof member === 'function');
  const wrapped = operations.map(([name, operation]) => [name, wrap(name, (...call) => operation.apply(port, call))]);
  return { ...port, ...Object.fromEntries(wrapped) };
}

const withCircuitBreaker =
  (clock: Clock): WrapPort =>
  (party, port) => {
    const breaker = new CircuitBreaker(party);
    const nowMs = () => clock.now().epochMilliseconds;
    return wrapOperations(port, (name, run) =>
      AT_ONCE.has(name) ? run : (...call) => breaker.run(name, nowMs, async () => run(...call)),
    );
  };

/** Wraps each outside call in a span with its party and operation, and no request data. */
const traced: WrapPort = (party, port) =>
  wrapOperations(port, (name, run) => {
    const begun = { name: `${party} ${name}`, kind: 'client' as const, attributes: { 'doorstep.party': party } };
    return (...call) => inSpan(begun, () => run(...call));
  });

/** Counts calls by party and outcome. Operations without a promise, such as reading a webhook's body, are no calls. */
function countedBy(metrics: Metrics): WrapPort {
  const count = metrics.countBy({
    name: 'doorstep_outside_calls_total',
    help: 'Calls to external services, by service and outcome: ok, refused (rejected by the service) or failed.',
    labels: ['party', 'outcome'],
  });
  const outcomeOf = (error: unknown) => (error instanceof OutsideError && error.retryable ? 'failed' : 'refused');
  return (party, port) =>
    wrapOperations(port, (_name, run) => (...call) => {
      const answer = run(...call);
      if (answer instanceof Promise) {
        answer.then(
          (value) => count({ party, outcome: isFault(value) ? 'failed' : 'ok' }),
          (error) => count({ party, outcome: outcomeOf(error) }),
        );
      }
      return answer;
    });
}

/** Whether a call to a URL, which never rejects, came to nothing. */
function isFault(answer: unknown): boolean {
  return isJsonObject(answer) && ('failure' in answer || Number(answer.status) >= FIRST_FAULT);
}

/** Operations that change nothing at the party: a quiet node may read. */
const LOOK_UPS: ReadonlySet<string> = new Set([
  ...'search find geocode reverseGeocode read get checkUrl readCertificateEnd close readReport'.split(' '),
  ...'findCharge readCharge readCardPage findPendingApproval listCharges'.split(' '),
]);

/** On a quiet node, every operation that is no look-up fails. */
const closedBecause =
  (reason: string): WrapPort =>
  (party, port) =>
    wrapOperations(port, (name, run) => {
      const refuse = () => Promise.reject(new OutsideError(party, reason, { retryable: true }));
      return LOOK_UPS.has(name) ? run : refuse;
    });

/** Calls to URLs never reject, so their spans take the outcome from the response. */
function withOutcomes(publicHttp: PublicHttp): PublicHttp {
  const noted = async <Answer extends { status: number } | { failure: string }>(pending: Promise<Answer>) => {
    const answer = await pending;
    if ('failure' in answer) failActiveSpan(answer.failure);
    else {
      setActiveSpanAttributes({ 'http.response.status_code': answer.status });
      if (answer.status >= FIRST_FAULT) failActiveSpan(String(answer.status));
    }
    return answer;
  };
  return {
    ...publicHttp,
    post: (url, request) => noted(publicHttp.post(url, request)),
    get: (...given) => noted(publicHttp.get(...given)),
  };
}
