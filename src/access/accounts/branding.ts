import { DEFAULT_LANGUAGE, type Language } from '../../platform/languages/language.ts';
import type { Look } from './brand-look.ts';

/** Extra channels that an account can choose for a message. */
export const EXTRA_CHANNELS = ['off', 'sms', 'email', 'both'] as const;
export type ExtraChannels = (typeof EXTRA_CHANNELS)[number];

/** The customer's possible actions on an order; null if the account has set nothing. */
export type CustomerCare = {
  helpUrl: string | null;
  helpEmail: string | null;
  /** In E.164. */
  helpPhone: string | null;
  /** Whether the tracking page lets a customer cancel while the order allows it. */
  customerCancel: boolean;
  /** Template of the reorder link (`parseReorderUrl`). */
  reorderUrl: string | null;
};

/** The name, logo and addresses shown to an account's customers; null if the account has set nothing. */
export type Branding = CustomerCare &
  Look & {
    accountId: string;
    /** Shown instead of "Doorstep" in emails, SMS and on the tracking site. */
    displayName: string | null;
    /** Language of pages and messages for orders without one. */
    language: Language;
    logoUrl: string | null;
    /** Sender address of the account's email; DNS records authorize the mail relay (docs/branding.md). */
    fromAddress: string | null;
    /** Receives a blind copy of every receipt. */
    bccAddress: string | null;
    /** Terms that customers accept when they order on the hosted checkout. */
    termsUrl: string | null;
    privacyUrl: string | null;
    favicon: { bytes: Buffer; type: string } | null;
    /** Host name of the tracking site for this account's orders only. */
    trackingHost: string | null;
    /** Last time the tracking host passed domain verification. Links use the host only while this is set. */
    trackingHostVerifiedAt: Temporal.Instant | null;
    /** URL of a wide picture: at the top of the shop, and of a store that has none of its own. */
    coverUrl: string | null;
    /** The first line of the shop. */
    welcome: string | null;
    /** Whether the owners of the shop's named stores set its theme. */
    ownerLook: boolean;
    /** Channels of the message that a driver has picked up the order. */
    onItsWay: ExtraChannels;
    /** Channels of the message that a delivery has arrived. */
    delivered: ExtraChannels;
  };

/** Changes to a branding: a value sets a member, null clears it, and an absent member keeps its value. */
export type BrandingChanges = Partial<Omit<Branding, 'accountId' | 'trackingHostVerifiedAt'>>;

export const DEFAULT_DISPLAY_NAME = 'Doorstep';

/** Returns the sender name for customers; falls back to the service's name. */
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
    corners: 'soft',
    font: 'system',
    coverUrl: null,
    welcome: null,
    ownerLook: false,
    helpUrl: null,
    helpEmail: null,
    helpPhone: null,
    customerCancel: false,
    reorderUrl: null,
    onItsWay: 'off',
    delivered: 'off',
  };
}
