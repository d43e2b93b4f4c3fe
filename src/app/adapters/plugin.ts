import manifest from '../../../package.json' with { type: 'json' };
import type { CourierGateway } from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
import type { Mailer, SmsReplies, SmsSender } from '../../notify/outbox/messaging.ts';
import type { PolledTickets, Printer } from '../../notify/outbox/printer.ts';
import type { GatewayNotices, PaymentGateway } from '../../ordering/payments/payment-gateway.ts';
import type { PluginSettings, SettingsOf } from '../../platform/config/plugin-settings.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import type { Tracer } from '../../platform/lib/tracing.ts';
import type { Geocoder } from '../../supply/addresses/geocoder.ts';
import type { FeedFormat } from '../../supply/imports/formats.ts';
import type { PhotoBucket } from '../../supply/photos/photo.ts';
import type { PlaceDirectory } from '../../supply/places/place-directory.ts';
import type { TaxCalculator } from '../../supply/pricing/tax-calculator.ts';

/*
 * A plug-in implements ports: this service's interface to an external service, under a name that settings and stores
 * choose. Our own adapters are plug-ins too (own-plugins.ts).
 */

export type * from '../../fulfillment/deliveries/couriers/courier-gateway.ts';
export type { Position } from '../../fulfillment/deliveries/position.ts';
export {
  type Mail,
  type Mailer,
  optedOut,
  type SmsReplies,
  type SmsReply,
  type SmsSender,
} from '../../notify/outbox/messaging.ts';
export { type PolledTickets, type Printer, PrinterError, type Ticket } from '../../notify/outbox/printer.ts';
export {
  type BookedCharge,
  type BookedRefund,
  CASH_TOKEN,
  type Card,
  CardDeclined,
  type CardPageRequest,
  type CardPageState,
  type Charge,
  type ChargeRequest,
  type GatewayNotice,
  type GatewayNotices,
  type PaymentGateway,
  type SavedCard,
  tokenNotAccepted,
  type Wallets,
} from '../../ordering/payments/payment-gateway.ts';
export { ConfigError } from '../../platform/config/config.ts';
export type { Setting } from '../../platform/config/plugin-settings.ts';
export type { Language } from '../../platform/languages/language.ts';
export type { Clock } from '../../platform/lib/clock.ts';
export type { ReportLeftOut } from '../../platform/lib/left-out.ts';
export { OutsideError } from '../../platform/lib/outside-error.ts';
export type { Attributes, BegunSpan, Span, SpanKind, Tracer } from '../../platform/lib/tracing.ts';
export type { Geocoder, LocatedAddress, Precision } from '../../supply/addresses/geocoder.ts';
export type { FeedEntry, FeedFormat, FeedInput, OpenedFeed } from '../../supply/imports/formats.ts';
export type { PhotoBucket, PhotoSize } from '../../supply/photos/photo.ts';
export type { Place, PlaceReading, PlaceStatus, StatedAddress } from '../../supply/places/place.ts';
export type { PlaceDirectory, PlaceQuery } from '../../supply/places/place-directory.ts';
export type { OrderToTax, ReversedLine, TaxCalculation, TaxCalculator } from '../../supply/pricing/tax-calculator.ts';
export type { MinuteRange, WeeklyHours } from '../../supply/stores/hours.ts';
export type { StoreType } from '../../supply/stores/store.ts';
export type { TaxClass } from '../../supply/stores/tax-class.ts';
export * from './format-tools.ts';
export * from './plugin-tools.ts';

/** This service's version, which its own plug-ins have, too. */
export const VERSION: string = manifest.version;

/** The version of this interface. */
export const PLUGIN_API = 1;

/** The input for opening an adapter. */
export type PluginContext<S extends PluginSettings = PluginSettings> = {
  settings: PluginSettings extends S ? Readonly<Record<string, unknown>> : SettingsOf<S>;
  clock: { now(): Temporal.Instant };
  log: PluginLog;
  /** `all`, `api` or `worker`; undefined in a command. */
  role?: string | undefined;
  /** The service's public URL. */
  baseUrl: string;
  /** URL of the choice, for a geocoder that takes one. */
  url: string | undefined;
  /** Counts unreadable records in a response, by reason. */
  reportLeftOut?: ReportLeftOut | undefined;
  /** Addresses of the party other than production. */
  partyUrls: Readonly<Record<string, string>>;
};

/** Writes lines of the log. Never log a secret or personal data. */
export type PluginLog = {
  error(details: object | string, text?: string): void;
  warn(details: object | string, text?: string): void;
  info(details: object | string, text?: string): void;
};

/** One adapter of a list: its name, and how it is opened once it is chosen. */
export type PluginEntry<Port, S extends PluginSettings = PluginSettings> = {
  name: string;
  /** Chosen where its setting chooses none and the plug-in has its settings: a gateway, a mailer, an SMS sender. */
  byDefault?: boolean;
  /**
   * Packages of npm, with their versions, that the installation leaves out. If one is missing, the start says how to
   * install them.
   */
  packages?: string;
  /** The optional setting without which it is not chosen: a directory, a store of photos, a tracer. */
  needs?: keyof S & string;
  /** Maximum time of `open`; 20 seconds by default. */
  openTimeoutMs?: number;
  open(context: PluginContext<S>): Promise<Port>;
};

/** A request to a plug-in's route, from anyone who knows its URL. `query` has the last value of a repeated parameter. */
export type PluginRequest = {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
};

/** 200 without a `status`, which is below 500; `type` is the content type of the body. */
export type PluginAnswer = { status?: number; type?: string; body?: string | Uint8Array };

export const ROUTE_METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** An endpoint of a plug-in. It is public: `handle` authenticates the caller, and the body may be any bytes. */
export type PluginRoute = {
  method: (typeof ROUTE_METHODS)[number];
  /** Below `/plugins/NAME`, with parameters: `/printers/:secret`. */
  path: string;
  handle(request: PluginRequest): Promise<PluginAnswer>;
};

/**
 * `printer`: a printer polls these routes, at `/NAME/:secret`, and stores choose it by name. The service makes the
 * secret, and `tickets` are the tickets waiting for such printers.
 */
export type RoutesEntry<S extends PluginSettings = PluginSettings> = {
  name: string;
  printer?: true;
  open(context: PluginContext<S> & { tickets: PolledTickets }): Promise<readonly PluginRoute[]>;
};

export type OpenedGateway = { gateway: PaymentGateway; notices?: GatewayNotices | undefined };
/** `close` sends the last spans, within seconds. */
export type OpenedTracer = Tracer & { close(): Promise<void> };
export type OpenedSms = { sender: SmsSender; replies?: SmsReplies | undefined };

/** `help` is a line of `import --help`; a file whose name matches `namedBy` probably has the format. */
export type FormatHelp = { help?: string; namedBy?: RegExp };

export type Plugin<S extends PluginSettings = PluginSettings> = {
  /** Lower-case letters, digits, `-` and `_`. Its settings are read below this name: `acme` reads ACME_…. */
  name: string;
  /** The plug-in's own version. */
  version: string;
  /** The version of the interface that it is written for. */
  api: typeof PLUGIN_API;
  /** Begins the names of its settings in place of `name`. */
  prefix?: string;
  settings?: S;
  couriers?: readonly PluginEntry<CourierGateway, S>[];
  gateways?: readonly PluginEntry<OpenedGateway, S>[];
  /** `takesUrl`: chosen as NAME:URL. */
  geocoders?: readonly (PluginEntry<Geocoder, S> & { takesUrl?: boolean })[];
  /** Where places are looked up that are no stores yet; without one, none is found. */
  directories?: readonly PluginEntry<PlaceDirectory, S>[];
  /** Keeps the files of photos; without one, the database does. */
  photos?: readonly PluginEntry<PhotoBucket, S>[];
  taxes?: readonly PluginEntry<TaxCalculator, S>[];
  mailers?: readonly PluginEntry<Mailer, S>[];
  sms?: readonly PluginEntry<OpenedSms, S>[];
  printers?: readonly PluginEntry<Printer, S>[];
  formats?: readonly (PluginEntry<FeedFormat, S> & FormatHelp)[];
  /** Endpoints below `/plugins/NAME`, bounded as all without a key are. */
  routes?: readonly RoutesEntry<S>[];
  /** Exports traces; without one, nothing is traced. */
  tracers?: readonly PluginEntry<OpenedTracer, S>[];
  /**
   * For `doorstep check`: asks the party and changes nothing there. Rejects if it does not work; resolves to a warning,
   * if there is one. `setting` is named with the result.
   */
  check?: {
    setting: keyof S & string;
    ask(context: Pick<PluginContext<S>, 'settings' | 'partyUrls'>): Promise<string | undefined>;
  };
};

/** Defines a plug-in: the default export of its module. */
export function definePlugin<const S extends PluginSettings>(plugin: Plugin<S>): Plugin;
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}
