import { DUTIES, DUTY_PLACES, DUTY_TOPICS } from '../../src/surfaces/operator/duties.ts';
import { withRows } from './write-rows.ts';

/** docs/marketplace-compliance.md with its generated tables: topics and places. */
export function withDutyTables(document: string): string {
  const topics = Object.entries(DUTY_TOPICS).map(([topic, { does, set, left }]) => [topic, does, set, left]);
  const columns = ['topic', 'Doorstep', 'your settings', 'your tasks'];
  const rows = DUTIES.map(([place, topic, due, since, title, section, url, unread]) => [
    DUTY_PLACES[place][2],
    topic,
    due,
    since,
    `[${title}](${url}), ${section}${unread === undefined ? '' : ' (not read)'}`,
  ]);
  return withRows(withRows(document, columns, topics), ['place', 'topic', 'duty', 'since', 'source'], rows);
}
