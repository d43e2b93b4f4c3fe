import { calendarRoute } from './calendar.route.ts';
import { cancelRoutes } from './cancel.route.ts';
import { notesRoutes } from './notes.route.ts';
import { hostProofRoute } from './own-host.hook.ts';
import { photoRoute } from './photo.route.ts';
import { problemRoutes } from './problem.route.ts';
import { shortLinkRoute } from './short-link.route.ts';
import { tilesRoute } from './tiles.route.ts';
import { tipRoutes } from './tip.route.ts';
import { receiptRoute, trackingRoute } from './tracking.route.ts';
import { trackingEventsRoute } from './tracking-events.route.ts';
import { trackingFilesRoutes } from './tracking-files.route.ts';

/** Routes of a placed order's pages, and routes that the pages call. */
export const TRACKING_ROUTES = [
  trackingRoute,
  shortLinkRoute,
  receiptRoute,
  cancelRoutes,
  photoRoute,
  problemRoutes,
  notesRoutes,
  tipRoutes,
  calendarRoute,
  hostProofRoute,
  trackingEventsRoute,
  trackingFilesRoutes,
  tilesRoute,
];
