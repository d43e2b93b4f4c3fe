import { present } from 'doorstep/collections';
import { ucpModeOf } from '../../access/accounts/shops.db.ts';
import type { Gateways } from '../../ordering/payments/payment-gateway.ts';
import type { Config } from '../../platform/config/config.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { findAtOwnHost, findAtService, type HostedShop, type HostedShopDeps } from '../shop/hosted-shop.flow.ts';
import { hostNameOf } from '../tracking/brand.ts';
import { siteUrlOf } from '../tracking/site-frame.flow.ts';
import type { HandlerConfig, Site } from './profile.ts';

/** The business at a host: its address, and the account whose shop it is; the service's host may have none. */
export type Business = { siteUrl: string; hosted: HostedShop | undefined; handler?: HandlerConfig };

export type BusinessDeps = HostedShopDeps & { config: Config; gateways: Gateways };

/** A business's site for platforms; customers sign in only at an own host. */
export const siteOf = ({ siteUrl, hosted, handler }: Business): Site => ({
  siteUrl,
  hasSignIn: hosted?.isOwnHost === true,
  ...present({ handler }),
});

/** Refuses the own host of an account that platforms do not shop with. */
export async function findBusiness(deps: BusinessDeps, host: string | undefined): Promise<Business> {
  const { config, trackingSites } = deps;
  const isOwnHost = trackingSites.ownHosts().has(hostNameOf(host));
  const found = await (isOwnHost ? findAtOwnHost(deps, host) : findAtService(deps, config.ucpAccount));
  const hosted = found && ucpModeOf(found.shop) ? found : undefined;
  if (isOwnHost && !hosted) throw new Refusal('route_not_found', 'Platforms do not shop at this host.');
  if (!hosted) return { siteUrl: config.baseUrl, hosted };
  const { mode: environment } = hosted.shop;
  const gateway = environment === 'live' ? config.paymentGateway : environment;
  const publishable_key = deps.gateways[environment]?.wallets?.publicKey;
  const siteUrl = hosted.isOwnHost ? siteUrlOf(config, hosted) : config.baseUrl;
  return { siteUrl, hosted, handler: { environment, ...present({ gateway, publishable_key }) } };
}
