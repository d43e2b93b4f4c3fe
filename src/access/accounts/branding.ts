import { DEFAULT_LANGUAGE, type Language } from '../../platform/languages/language.ts';

/** Extra channels that an account can choose for a message. */
export const EXTRA_CHANNELS = ['off', 'sms', 'email', 'both'] as const;
export type ExtraChannels = (typeof EXTRA_CHANNELS)[number];

/** What customers can do beside an order; null where the account set nothing. */
export type CustomerCare = {
  helpUrl: string | null;
  helpEmail: string | null;
  /** In E.164. */
  helpPhone: string | null;
  /** Whether the tracking page lets a customer cancel while the step `cancel` is allowed. */
  customerCancel: boolean;
  /** A template of the reorder link (`parseReorderUrl`). */
  reorderUrl: string | null;
};

/** The name, logo and addresses shown to an account's customers; null where the account set nothing. */
export type Branding = CustomerCare & {
  accountId: string;
  /** Shown instead of "Doorstep" in mail, SMS and on the tracking site. */
  displayName: string | null;
  /** For pages and messages of orders without their own language. */
  language: Language;
  logoUrl: string | null;
  /** The sender address of its mail; DNS records authorize the mail relay (docs/white-label.md). */
  fromAddress: string | null;
  /** Gets a blind copy of every receipt. */
  bccAddress: string | null;
  /** What customers agree to when they order on the hosted checkout. */
  termsUrl: string | null;
  privacyUrl: string | null;
  favicon: { bytes: Buffer; type: string } | null;
  /** The tracking site's host name for this account's orders only. */
  trackingHost: string | null;
  /**
   * Last time the tracking host passed domain verification; null until then. Links use the host only while it is set.
   */
  trackingHostVerifiedAt: Temporal.Instant | null;
  /** `#rrggbb`, for buttons and accents on the tracking site and in mail. */
  color: string | null;
  /** The message when a driver has picked up the order. */
  onItsWay: ExtraChannels;
  /** The message when a delivery has arrived. */
  delivered: ExtraChannels;
};

/** Present members are set, null clears a member, absent members keep their value. */
export type BrandingChanges = Partial<Omit<Branding, 'accountId' | 'trackingHostVerifiedAt'>>;

export const DEFAULT_DISPLAY_NAME = 'Doorstep';

/** Sender name for customers; falls back to the service's name. */
export function displayNameOf({ displayName }: Pick<Branding, 'displayName'>): string {
  return displayName?.trim() || DEFAULT_DISPLAY_NAME;
}

export function plainBranding(accountId: string): Branding {
  return {
    accountId,
    displayName: null,
    language: DEFAULT_LANGUAGE,
    logoUrl: null,
    fromAddress: null,
    bccAddress: null,
    termsUrl: null,
    privacyUrl: null,
    favicon: null,
    trackingHost: null,
    trackingHostVerifiedAt: null,
    color: null,
    helpUrl: null,
    helpEmail: null,
    helpPhone: null,
    customerCancel: false,
    reorderUrl: null,
    onItsWay: 'off',
    delivered: 'off',
  };
}
