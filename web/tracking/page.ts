import type { MapView } from '../../src/fulfillment/deliveries/street-map.ts';
import type { LiveMessage, LivePart } from '../../src/surfaces/tracking/live-order.ts';
import type { TrackingMap } from '../../src/surfaces/tracking/map-view.ts';
import { minutesLeft, preparedPercent } from '../../src/surfaces/tracking/minutes-left.ts';
import { live } from '../../src/texts/en/live.ts';
import { showAfterPress } from '../press.ts';
import { watchForms } from '../wrong-fields.ts';
import { announce, replaceElement, showState } from './live-parts.ts';
import { type LiveMap, loadMap } from './load-map.ts';

/** Interval for counting down minutes between two messages. */
const TICK_MS = 5000;
/** Polling interval without a stream. */
const POLL_MS = 20_000;
/** Milliseconds without a stream until the page opens a new one. */
const RETRY_MS = 60_000;
/** Milliseconds of sleep until the stream counts as lost, even if the browser reports it as open. */
const ASLEEP_MS = 20_000;

const PARTS: readonly LivePart[] = ['now', 'where', 'driver', 'steps', 'places', 'care', 'receipt'];

watchForms();
const main = document.querySelector<HTMLElement>('main[data-events]');
if (main) follow(main);
const share = document.querySelector<HTMLDetailsElement>('#share');
if (share) offerSharing(share);

/** Uses the device's own share dialog if there is one. Otherwise a box opens with the link, which is copied at once. */
function offerSharing(box: HTMLDetailsElement): void {
  const link = box.querySelector('input');
  const state = box.querySelector('[role=status]');
  if (!link || !state) return;
  box.querySelector('summary')?.addEventListener('click', (event) => {
    if (!navigator.share || box.open) return;
    event.preventDefault();
    navigator.share({ title: document.title, url: link.value }).catch((error: Error) => {
      if (error.name !== 'AbortError') box.open = true;
    });
  });
  box.addEventListener('toggle', () => {
    state.textContent = '';
    if (!box.open) return;
    link.select();
    // Without permission, the link stays selected for copying.
    navigator.clipboard?.writeText(link.value).then(
      () => {
        state.textContent = live.copied;
      },
      () => {},
    );
  });
}

/** Updates the page until its order has ended. */
function follow(page: HTMLElement): void {
  const { events = '', mapFiles } = page.dataset;
  let version = page.dataset.version ?? '';
  let clockOffsetMs = Number(page.dataset.now) * 1000 - Date.now();
  let stream: EventSource | undefined;
  let looking: number | undefined;
  let retrying: number | undefined;
  let hiddenAtMs = 0;
  let liveMap: Promise<LiveMap> | undefined;
  let hasEnded = false;
  let changesAtMs = changesAtMsOf(Number(page.dataset.changesAt));

  function open(): void {
    if (hasEnded) return;
    stream?.close();
    stream = new EventSource(`${events}&version=${version}`);
    stream.addEventListener('order', (event) => {
      version = event.lastEventId;
      const message: LiveMessage = JSON.parse(event.data);
      showAfterPress(() => apply(message));
    });
    stream.addEventListener('open', () => {
      stopLooking();
      sayState('live');
    });
    stream.addEventListener('error', () => {
      sayState('lost');
      if (stream?.readyState === EventSource.CLOSED && !hasEnded) startLooking();
    });
  }

  /** Falls back to polling when the service accepts no more streams. */
  function startLooking(): void {
    // A failed read is repeated at the next interval.
    looking ??= window.setInterval(() => look().catch(() => {}), POLL_MS);
    window.clearTimeout(retrying);
    retrying = window.setTimeout(open, RETRY_MS);
    sayState('looking');
  }

  function stopLooking(): void {
    window.clearInterval(looking);
    window.clearTimeout(retrying);
    looking = undefined;
  }

  async function look(): Promise<void> {
    const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined);
    if (!answer?.ok) return;
    const other = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const parts = Object.fromEntries(PARTS.map((id) => [id, other.getElementById(id)?.outerHTML ?? '']));
    const { dataset } = other.querySelector('main') ?? document.createElement('main');
    version = dataset.version ?? version;
    const message: LiveMessage = {
      nowEpochS: Number(dataset.now ?? (Date.now() + clockOffsetMs) / 1000),
      parts,
      changesAtEpochS: Number(dataset.changesAt),
      map: mapOf(dataset),
      ends: !dataset.events,
      placed: !('unplaced' in dataset),
    };
    showAfterPress(() => apply(message));
  }

  function apply(message: LiveMessage): void {
    if ('unplaced' in page.dataset) {
      if (message.placed) location.reload();
      return;
    }
    clockOffsetMs = message.nowEpochS * 1000 - Date.now();
    changesAtMs = changesAtMsOf(message.changesAtEpochS);
    for (const [id, markup] of Object.entries(message.parts)) replacePart(id, markup);
    showNews();
    showMap(message.map);
    tick();
    if (message.ends) end();
  }

  function end(): void {
    hasEnded = true;
    stream?.close();
    stopLooking();
    sayState('still');
  }

  function showMap(map: MapView | null): void {
    const section = document.getElementById('driver-location');
    if (section) section.hidden = !map;
    if (!map || !mapFiles) return;
    liveMap ??= loadMap(JSON.parse(mapFiles), map);
    // Without a street map, the page shows the sketch.
    liveMap.then((shown) => shown.show(map)).catch(() => {});
  }

  function tick(): void {
    const nowMs = Date.now() + clockOffsetMs;
    tickMinutes(nowMs / 1000);
    tickPreparation(nowMs / 1000);
    if (hasEnded || nowMs < changesAtMs) return;
    changesAtMs = nowMs + POLL_MS;
    look().catch(() => {});
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAtMs = Date.now();
    else if (Date.now() - hiddenAtMs > ASLEEP_MS) open();
    tick();
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) open();
  });
  window.setInterval(tick, TICK_MS);
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth !== width) forgetHeights();
    width = window.innerWidth;
  });
  showNews();
  showMap(mapOf(page.dataset));
  open();
}

function changesAtMsOf(epochS: number | null): number {
  return epochS ? epochS * 1000 : Infinity;
}

function tickMinutes(nowEpochS: number): void {
  const minutes = document.getElementById('minutes');
  if (!minutes) return;
  const { earliest, latest } = minutes.dataset;
  const words = minutesLeft({ earliestEpochS: Number(earliest), latestEpochS: Number(latest) }, nowEpochS, live);
  if (minutes.textContent !== words) minutes.textContent = words;
}

function tickPreparation(nowEpochS: number): void {
  const bar = document.querySelector<HTMLProgressElement>('#prepared');
  if (!bar) return;
  const { from, to } = bar.dataset;
  bar.value = preparedPercent({ fromEpochS: Number(from), toEpochS: Number(to) }, nowEpochS);
}

/** Replaces a part, whose scroll position stays. */
function replacePart(id: string, markup: string): void {
  const old = document.getElementById(id);
  if (!old || !markup) return;
  replaceElement(old, markup, ({ content }) => {
    keepHeight(old, content.querySelector<HTMLElement>(`#${id}`));
    return true;
  });
}

/** Keeps a section's height when its content shrinks, so that the text below does not move. */
function keepHeight(old: HTMLElement, next: HTMLElement | null): void {
  if (next && !next.hidden && !old.hidden && old.id !== 'driver') next.style.minHeight = `${old.offsetHeight}px`;
}

/** At another width, the kept heights no longer fit the texts. */
function forgetHeights(): void {
  for (const id of PARTS) document.getElementById(id)?.style.removeProperty('min-height');
}

/** Announces a change, and says it in the title for readers in another tab. */
function showNews(): void {
  const brand = document.querySelector('.brand');
  document.title = `${announce()} · ${brand?.querySelector('img')?.alt ?? brand?.textContent}`;
}

const STATES = { live: live.on, lost: live.lost, looking: live.polling, still: '' } as const;

function sayState(state: keyof typeof STATES): void {
  showState('live-state', STATES, state);
}

/** The map in a page's data; null without a map. */
function mapOf({ map = 'null' }: DOMStringMap): TrackingMap | null {
  return JSON.parse(map);
}
