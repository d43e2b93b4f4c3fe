/**
 * A calendar file with one event (RFC 5545): content lines of up to 75 octets, escaped texts, and times in UTC, so
 * that no time zone needs to be described.
 */

export type CalendarEvent = {
  /** Globally unique, and equal for the same event, so that a calendar replaces its earlier copy. */
  uid: string;
  /** Time when the file is written. */
  stampedAt: Temporal.Instant;
  startEpochS: number;
  endEpochS: number;
  language: string;
  summary: string;
  description: string;
  /** Empty if there is none. */
  location: string;
  url: string;
};

export function calendarFile(event: CalendarEvent): string {
  const text = (name: string, value: string) => `${name};LANGUAGE=${event.language}:${escapeText(value)}`;
  const at = (epochS: number) => utcTime(Temporal.Instant.fromEpochMilliseconds(epochS * 1000));
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Doorstep//Tracking page//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utcTime(event.stampedAt)}`,
    `DTSTART:${at(event.startEpochS)}`,
    `DTEND:${at(event.endEpochS)}`,
    text('SUMMARY', event.summary),
    text('DESCRIPTION', event.description),
    ...(event.location === '' ? [] : [text('LOCATION', event.location)]),
    `URL:${event.url}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}

/** Formats UTC time in the form `20260610T220000Z`. */
const utcTime = (at: Temporal.Instant): string => at.toString({ fractionalSecondDigits: 0 }).replaceAll(/[-:]/g, '');

/** Escapes a text: line breaks become `\n`; other control characters, which a text cannot have, become spaces. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed();
}

const MAX_OCTETS = 75;

/** Continues a long line on the next one, after a space, without splitting a character. */
function foldLine(line: string): string {
  const parts = [''];
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > MAX_OCTETS) {
      parts.push('');
      octets = 1;
    }
    parts[parts.length - 1] += character;
    octets += length;
  }
  return parts.join('\r\n ');
}
