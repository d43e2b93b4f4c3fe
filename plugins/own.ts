import cloudPrinters from './cloud-printers/plugin.ts';
import doordashDrive from './doordash-drive/plugin.ts';
import escpos from './escpos/plugin.ts';
import { census, nominatim, photon } from './geocoders/plugin.ts';
import googleFood from './google-food/plugin.ts';
import googleMaps from './google-maps/plugin.ts';
import openData from './open-data/plugin.ts';
import opentelemetry from './opentelemetry/plugin.ts';
import s3Photos from './s3-photos/plugin.ts';
import schemaOrg from './schema-org/plugin.ts';
import smtp from './smtp/plugin.ts';
import stripe from './stripe/plugin.ts';
import twilio from './twilio/plugin.ts';
import uberDirect from './uber-direct/plugin.ts';

/**
 * The plug-ins that come with the service and are on by default: each connects to one external service, and imports
 * only `doorstep/plugin`. `PLUGINS_OFF` leaves them out by their names.
 */
export const OWN = [
  smtp,
  escpos,
  stripe,
  uberDirect,
  doordashDrive,
  googleMaps,
  census,
  nominatim,
  photon,
  twilio,
  openData,
  googleFood,
  schemaOrg,
  s3Photos,
  opentelemetry,
  cloudPrinters,
];
