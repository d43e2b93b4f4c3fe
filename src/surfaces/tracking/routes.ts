import { calendarRoute } from './calendar.route.ts';
import { cancelRoutes } from './cancel.route.ts';
import { notesRoutes } from './notes.route.ts';
import { hostProofRoute } from './own-host.hook.ts';
import { photoRoute } from './photo.route.ts';
import { problemRoutes } from './problem.route.ts';
import { tilesRoute } from './tiles.route.ts';
import { tipRoutes } from './tip.route.ts';
import { receiptRoute, trackingRoute } from './tracking.route.ts';
import { trackingEventsRoute } from './tracking-events.route.ts';
import { trackingFilesRoutes } from './tracking-files.route.ts';

/** The pages of a placed order, and what they call. */
export const TRACKING_ROUTES = [
  trackingRoute,
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
