import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { type CalendarEvent, calendarFile } from './calendar.ts';

const DINNER: CalendarEvent = {
  uid: 'ord_1@doorstep',
  stampedAt: Temporal.Instant.from('2026-06-10T17:00:00.123Z'),
  startEpochS: Temporal.Instant.from('2026-06-10T22:00:00Z').epochMilliseconds / 1000,
  endEpochS: Temporal.Instant.from('2026-06-10T22:30:00Z').epochMilliseconds / 1000,
  language: 'en',
  summary: 'Delivery from Ben, Jerry; & Co',
  description: 'Order A17.\nTrack it: https://follow.example/tracking?tracking_id=ord_1',
  location: '',
  url: 'https://follow.example/tracking?tracking_id=ord_1',
};

/** A reader per RFC 5545, sections 3.1 and 3.3.11, independent of the writer: the properties of a file by name. */
function readCalendar(file: string): Map<string, string> {
  assert.ok(file.endsWith('\r\n'));
  const physical = file.slice(0, -2).split('\r\n');
  for (const line of physical) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.doesNotMatch(line, /[\p{Cc}]/u);
    assert.ok(Buffer.from(line).toString() === line, 'no character is divided');
  }
  const lines = physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
  return new Map(
    lines.map((line) => {
      const [, name = assert.fail(line), value = ''] = /^([A-Z]+)(?:;[A-Z]+=[\w-]+)?:(.*)$/s.exec(line) ?? [];
      return [name, value.replaceAll(/\\([nN\\;,])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))];
    }),
  );
}

test('an event is written as calendars read it', () => {
  assert.equal(
    calendarFile(DINNER),
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Doorstep//Tracking page//EN', 'METHOD:PUBLISH', 'BEGIN:VEVENT'],
      ...['UID:ord_1@doorstep', 'DTSTAMP:20260610T170000Z', 'DTSTART:20260610T220000Z', 'DTEND:20260610T223000Z'],
      'SUMMARY;LANGUAGE=en:Delivery from Ben\\, Jerry\\; & Co',
      'DESCRIPTION;LANGUAGE=en:Order A17.\\nTrack it: https://follow.example/tracki',
      ' ng?tracking_id=ord_1',
      'URL:https://follow.example/tracking?tracking_id=ord_1',
      ...['TRANSP:TRANSPARENT', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  );
});

test('any text round-trips in lines of up to 75 octets, and adds no line', () => {
  const texts = fc.string({
    unit: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), HOSTILE),
    maxLength: 200,
  });
  const plain = (text: string) =>
    text
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll(/(?!\n)\p{Cc}/gu, ' ')
      .toWellFormed();
  fc.assert(
    fc.property(texts, texts, texts, (summary, description, location) => {
      const read = readCalendar(calendarFile({ ...DINNER, summary, description, location }));
      assert.deepEqual(
        [read.get('SUMMARY'), read.get('DESCRIPTION'), read.get('LOCATION') ?? ''],
        [plain(summary), plain(description), plain(location)],
      );
      assert.equal(read.size, location === '' ? 13 : 14);
    }),
    { numRuns: runs(1000) },
  );
});

const HOSTILE = fc.constantFrom(
  '\r\nEND:VEVENT',
  '\n',
  '\r',
  ';',
  ',',
  '\\',
  '\\n',
  ':',
  '\u0000',
  '🍕',
  'é',
  '\u2028',
);
