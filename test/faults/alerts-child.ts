import { createPublicHttp } from 'doorstep/public-http';
import { createSmtpMailer } from '../../plugins/smtp/smtp.ts';
import { readSettings } from '../../src/app/wiring/read-settings.ts';
import { createFollowEvent } from '../../src/ordering/order/follow-event.flow.ts';
import { openDb, openPool } from '../../src/platform/db/connect.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { alertQueue } from '../../src/surfaces/operator/alerts/send-alerts.flow.ts';
import { lookAtAlerts } from '../../src/surfaces/operator/alerts/watch-alerts.job.ts';

/**
 * A worker that alerts operators until killed: `alerts-child.ts CONNECTION SCHEMA SECONDS SMTP_URL`. Its clock is SECONDS
 * ahead, past the previous worker's leases, and a minute further after each pass.
 */
const [connectionString = '', schema = '', seconds = '0', smtpUrl = ''] = process.argv.slice(2);
let aheadS = Number(seconds);
const db = openDb(openPool({ connectionString, schema }));
const deps = {
  db,
  followEvent: createFollowEvent(db, undefined),
  printing: { printers: new Map() },
  clock: { now: () => Temporal.Now.instant().add({ seconds: aheadS }) },
  config: readSettings({}),
  log: createLog('error'),
  publicHttp: createPublicHttp({ allowPrivate: true }),
  messaging: {
    mailer: createSmtpMailer({ url: smtpUrl }),
    smsSender: undefined,
    textFrom: undefined,
    frame: async () => '',
  },
};
const queue = alertQueue(deps);
for (;;) {
  await lookAtAlerts(deps);
  await queue.runOnce();
  await queue.idle();
  aheadS += 60;
}
