import { clockDifference, MAX_CLOCK_DIFFERENCE_S } from '../../platform/lib/clock-difference.ts';

/**
 * Conditions that give a failing service away. This table alone serves `doorstep check`, /metrics, the operator's
 * health, alerts to operators and the rules of Prometheus (`npm run generate`). A new condition is an entry here, with a
 * line in docs/alerts.md.
 */

export type ReplicationSlot = { name: string; isActive: boolean; isLost: boolean; bytes: number };

/** Input of the conditions. Ages are on the database's clock. */
export type HealthFacts = {
  /** Why this node acts on nothing outside, as a sentence. */
  quiet: string | undefined;
  /** Settings of this node that are valid and probably wrong, a sentence each. Left empty where they are shown one by one. */
  settingWarnings: readonly string[];
  /** Whether a live key exists, so that orders can be lost. */
  isLive: boolean;
  /** Age of the newest `doorstep backup`; null without one. */
  backupSeconds: number | null;
  /** Age of the last write-ahead log in an archive; null without an archive, or while it fails. */
  archiveSeconds: number | null;
  /** Whether the database is itself a standby. */
  isStandby: boolean;
  standbys: number;
  /** How many synchronous standbys a commit waits for, and how many of them are connected. */
  syncStandbysNeeded: number;
  syncStandbys: number;
  standbyLagSeconds: number;
  slots: readonly ReplicationSlot[];
  /** Age of the oldest transaction. */
  transactionSeconds: number;
  /** Machines whose clocks differ from the database's by more than `MAX_CLOCK_DIFFERENCE_S`, by host. */
  clocks: readonly { host: string; aheadSeconds: number }[];
  /** Machines that have measured their clock lately. */
  measuredClocks: number;
  /** Seconds by which the database's clock was set within the hour, forward or back; null if it was not. */
  clockStepSeconds: number | null;
  /** Seconds by which the clock of a standby is ahead of the database's; null without one. */
  standbyClockSeconds: number | null;
  /** Seconds until certificates of the service's hosts end; empty if none was read. */
  certificates: readonly { host: string; secondsLeft: number }[];
  /** Names of the places of live stores with active promotions whose tax no source confirms. */
  assumedDiscountTaxes: readonly string[];
  /** The last day's live orders whose money could not be taken when their goods left, the newest first. */
  failedCaptures: readonly string[];
  /** The last day's live orders whose couriers took goods by weight without their weights, the newest first. */
  unweighedOrders: readonly string[];
};

export type HealthCondition = {
  /** Its row of `doorstep check`. */
  subject: string;
  severity: 'critical' | 'warning';
  /** Seconds for which it holds before it alerts. */
  alertsAfter: number;
  /** The text of the rule of Prometheus. */
  summary: string;
  /** The fault now, as a sentence that begins with the subject's verb; undefined without one. */
  fault(facts: HealthFacts): string | undefined;
  /** The text of `doorstep check` without a fault. */
  words(facts: HealthFacts): string;
  /** The number behind it, for dashboards. */
  gauge?: { name: string; help: string; value(facts: HealthFacts): number | undefined };
};

const HOUR = 3600;
const DAY = 24 * HOUR;
const GIB = 2 ** 30;
/** A nightly backup may take some hours. */
const MAX_BACKUP_AGE = 30 * HOUR;
const MAX_STANDBY_LAG = 300;
/** A standby replies every 10 seconds by default, so its last reply may be older than its clock is behind. */
const MAX_REPLY_AGE = 30;
const MAX_SLOT_BYTES = 4 * GIB;
/** Longer than any transaction of the service but a backup of very many orders. */
const MAX_TRANSACTION = HOUR;
export const MIN_CERTIFICATE_DAYS = 14;

export const CONDITIONS = {
  clock: {
    subject: 'clock',
    severity: 'warning',
    alertsAfter: 0,
    summary: "The database's clock was set, or that of a machine or standby differs from it by over 5 seconds.",
    fault({ clocks, measuredClocks, clockStepSeconds: stepS, standbyClockSeconds: standbyS }) {
      const [first] = clocks;
      if (stepS !== null)
        return `of the database was set ${stepS < 0 ? 'back' : 'forward'} by ${Math.abs(stepS).toFixed(1)} s`;
      const aheads = clocks.map(({ aheadSeconds }) => aheadSeconds);
      const areAlike = Math.max(...aheads) - Math.min(...aheads) <= MAX_CLOCK_DIFFERENCE_S;
      if (first && measuredClocks > 1 && clocks.length === measuredClocks && areAlike)
        return `of the database is wrong, or that of every machine: ${first.host}'s ${clockDifference(first.aheadSeconds)}`;
      if (first) return `of ${first.host} ${clockDifference(first.aheadSeconds)}`;
      const isOff = standbyS !== null && (standbyS > MAX_CLOCK_DIFFERENCE_S || standbyS < -MAX_REPLY_AGE);
      return isOff
        ? `of a standby ${clockDifference(standbyS)}: after a failover it would be the database's`
        : undefined;
    },
    words: () => "matches the database's on every machine",
    gauge: {
      name: 'doorstep_standby_clock_difference_seconds',
      help: "Seconds by which a standby's clock is ahead of the database's; negative where it is behind, and up to 10 for the age of its last reply.",
      value: ({ standbyClockSeconds }) => standbyClockSeconds ?? undefined,
    },
  },
  quiet: {
    subject: 'copy',
    severity: 'warning',
    alertsAfter: 300,
    summary: 'Some node is a quiet copy: it sends, calls, charges and refunds nothing, and refuses changes.',
    fault: ({ quiet }) => quiet,
    words: () => 'is not a quiet copy',
  },
  settings: {
    subject: 'settings',
    severity: 'warning',
    alertsAfter: 900,
    summary: "Settings are probably wrong, such as no payment gateway. The node's log lists them at startup.",
    fault: ({ settingWarnings: found }) => (found.length === 0 ? undefined : `are doubtful: ${found.join(' ')}`),
    words: () => 'are valid',
  },
  backup: {
    subject: 'backup',
    severity: 'critical',
    alertsAfter: 900,
    summary: 'No database backup is newer than 30 hours.',
    fault(facts) {
      // A copy is backed up where it came from.
      if (!facts.isLive || facts.quiet !== undefined) return undefined;
      const age = newestBackup(facts);
      if (age === undefined) return 'has never been made, although live keys exist; run `doorstep backup` every night';
      return age > MAX_BACKUP_AGE ? `is ${inWords(age)} old` : undefined;
    },
    words(facts) {
      const age = newestBackup(facts);
      return age === undefined ? 'has never been made' : `is ${inWords(age)} old`;
    },
    gauge: {
      name: 'doorstep_backup_age_seconds',
      help: 'Age of the newest backup: a `doorstep backup`, or the last archived write-ahead log.',
      value: newestBackup,
    },
  },
  standby: {
    subject: 'standby',
    severity: 'critical',
    alertsAfter: 60,
    summary: 'Database standbys are missing or delayed, or the database is itself a standby.',
    fault({ isStandby, syncStandbys, syncStandbysNeeded, standbyLagSeconds }) {
      if (isStandby) return 'is what DATABASE_URL leads to: it takes no changes; name the primary';
      if (syncStandbys < syncStandbysNeeded)
        return `is missing: commits wait for ${syncStandbysNeeded} synchronous ones, and ${syncStandbys} are connected`;
      return standbyLagSeconds > MAX_STANDBY_LAG ? `is ${inWords(standbyLagSeconds)} behind` : undefined;
    },
    words({ standbys, standbyClockSeconds: clockS }) {
      if (standbys === 0) return 'none is connected';
      return `${standbys} connected${clockS === null ? '' : `, the clock ${clockDifference(clockS)}`}`;
    },
    gauge: {
      name: 'doorstep_database_standbys',
      help: 'Standbys and other readers of the write-ahead log that are connected to the database.',
      value: ({ standbys }) => standbys,
    },
  },
  replication_slot: {
    subject: 'replication slots',
    severity: 'critical',
    alertsAfter: 600,
    summary: "Unread or lagging replication slots are filling the database's disk.",
    fault({ slots }) {
      const slot = slots.find(({ isLost, isActive, bytes }) => isLost || !isActive || bytes > MAX_SLOT_BYTES);
      if (!slot) return undefined;
      if (slot.isLost) return `have lost ${slot.name}: make its standby again`;
      const kept = `${(slot.bytes / GIB).toFixed(1)} GiB of the write-ahead log`;
      return slot.isActive ? `keep ${kept} for ${slot.name}` : `keep ${kept} for ${slot.name}, which nobody reads`;
    },
    words: ({ slots }) => (slots.length === 0 ? 'none exist' : `${slots.length} are read`),
    gauge: {
      name: 'doorstep_replication_slot_bytes',
      help: 'Bytes of the write-ahead log that replication slots keep.',
      value: ({ slots }) => Math.max(0, ...slots.map(({ bytes }) => bytes)),
    },
  },
  old_transaction: {
    subject: 'oldest transaction',
    severity: 'warning',
    alertsAfter: 900,
    summary: "PostgreSQL can't clean up and tables grow, because a transaction has been open for over an hour.",
    fault: ({ transactionSeconds: age }) => (age > MAX_TRANSACTION ? `is ${inWords(age)} old` : undefined),
    words: ({ transactionSeconds }) => `is ${inWords(transactionSeconds)} old`,
    gauge: {
      name: 'doorstep_oldest_transaction_seconds',
      help: "Age of the database's oldest transaction.",
      value: ({ transactionSeconds }) => transactionSeconds,
    },
  },
  certificate: {
    subject: 'certificates',
    severity: 'critical',
    alertsAfter: 0,
    summary: "One of the service's certificates expires within 14 days.",
    fault(facts) {
      const first = firstToEnd(facts);
      if (!first || first.secondsLeft >= MIN_CERTIFICATE_DAYS * DAY) return undefined;
      return first.secondsLeft < 0 ? `have ended at ${first.host}` : `end in ${daysLeft(first)} days at ${first.host}`;
    },
    words(facts) {
      const first = firstToEnd(facts);
      return first ? `end in ${daysLeft(first)} days or later` : 'have not been read';
    },
    gauge: {
      name: 'doorstep_certificate_days',
      help: "Days until the service's first certificate expires.",
      value(facts) {
        const first = firstToEnd(facts);
        return first && daysLeft(first);
      },
    },
  },
  assumed_discount_taxes: {
    subject: 'taxes of discounts',
    severity: 'warning',
    alertsAfter: 900,
    summary: 'Active promotions apply where no source confirms whether their discount lowers the taxed price.',
    fault: ({ assumedDiscountTaxes: places }) =>
      places.length === 0 ? undefined : `are assumed in ${places.join(', ')} (docs/taxes.md#discounts)`,
    words: () => 'are confirmed wherever promotions are active',
  },
  failed_capture: {
    subject: 'captures',
    severity: 'warning',
    alertsAfter: 0,
    summary: 'Items sold by weight have left their store within a day without a captured payment.',
    fault: ({ failedCaptures: orders }) =>
      orders.length === 0 ? undefined : `have failed within a day: ${orders.join(', ')}`,
    words: () => 'have all succeeded',
  },
  unweighed_goods: {
    subject: 'weights',
    severity: 'warning',
    alertsAfter: 0,
    summary: 'Couriers picked up items sold by weight within a day before their store had weighed them.',
    fault: ({ unweighedOrders: orders }) =>
      orders.length === 0
        ? undefined
        : `are missing of goods that count as ordered, within a day: ${orders.join(', ')}`,
    words: () => 'were complete at every courier pickup',
  },
} as const satisfies Readonly<Record<string, HealthCondition>>;

export type ConditionKey = keyof typeof CONDITIONS;
export const CONDITION_KEYS = Object.keys(CONDITIONS) as ConditionKey[];

/** The finding of a condition; `title` is its fault as a sentence. */
export type FoundCondition = Pick<HealthCondition, 'subject' | 'severity'> & {
  key: ConditionKey;
  fault: string | undefined;
  title: string | undefined;
  words: string;
};

export function judgeConditions(facts: HealthFacts): FoundCondition[] {
  return CONDITION_KEYS.map((key) => {
    const { fault: judge, words, ...condition }: HealthCondition = CONDITIONS[key];
    const fault = judge(facts);
    const title = fault === undefined || key === 'quiet' ? fault : `The ${condition.subject} ${fault}`;
    return { ...condition, key, fault, title, words: words(facts) };
  });
}

function newestBackup({ backupSeconds, archiveSeconds }: HealthFacts): number | undefined {
  const ages = [backupSeconds, archiveSeconds].filter((age) => age !== null);
  return ages.length === 0 ? undefined : Math.max(0, Math.min(...ages));
}

function firstToEnd({ certificates }: HealthFacts) {
  return [...certificates].sort((a, b) => a.secondsLeft - b.secondsLeft)[0];
}

const daysLeft = ({ secondsLeft }: { secondsLeft: number }) => Math.floor(secondsLeft / DAY);

function inWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / 60)} minutes`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} hours` : `${Math.floor(seconds / DAY)} days`;
}
