import { METERS_PER_MILE, metersBetween } from '../../packages/search-engine/geography/sphere.ts';
import type { DriverStageShown, DriverState } from '../../src/fulfillment/deliveries/driver-view.ts';
import { NEAR_METERS, type Position } from '../../src/fulfillment/deliveries/position.ts';
import type { MapPoint } from '../../src/fulfillment/deliveries/street-map.ts';
import { readAmount } from '../../src/ordering/money/offered-tips.ts';
import { type FormatCountry, formatOf } from '../../src/platform/languages/format.ts';
import type { Language } from '../../src/platform/languages/language.ts';
import { driver as words } from '../../src/texts/en/driver.ts';
import { showAfterPress } from '../press.ts';
import { announce, replaceElement, showState } from '../tracking/live-parts.ts';
import { type LiveMap, loadMap } from '../tracking/load-map.ts';
import { isRight, MARKS, watchForms } from '../wrong-fields.ts';
import { call, postJson } from './connection.ts';
import { createOutbox } from './outbox.ts';
import { agedPosition, createSharing, type SharingState } from './share-position.ts';

/** Polling interval for the page to show the store's steps (ready, canceled, another driver). */
const POLL_MS = 10_000;

const SHARING_WORDS: Readonly<Record<SharingState, string>> = { off: '', ...words.sharing };

const WAITING_WORDS: Readonly<Record<string, string>> = {
  accept: words.sending.accept,
  pick_up: words.sending.pickUp,
  complete: words.sending.complete,
};

/** Sentences for refused steps and photos, by error code. */
const REFUSAL_WORDS: Readonly<Record<string, string>> = {
  id_check_required: words.sending.idFirst,
  wrong_code: words.proof.wrongCode,
  transition_not_allowed: words.sending.notPossible,
  invalid_request: words.sending.badPhoto,
  body_too_large: words.sending.badPhoto,
};

/** Formats of the store's country in the page's language. */
const format = (page: HTMLElement) =>
  formatOf(document.documentElement.lang as Language, page.dataset.country as FormatCountry);

function drive(page: HTMLElement): void {
  const door: Position | undefined = page.dataset.door ? JSON.parse(page.dataset.door) : undefined;
  const store: Position = JSON.parse(page.dataset.store ?? 'null');
  let liveMap: Promise<LiveMap> | undefined;
  let hasEnded = false;
  let wakeLock: WakeLockSentinel | undefined;

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    sharing.stop();
    location.reload();
  };
  const sharing = createSharing({
    show: (state) => showState('sharing', SHARING_WORDS, state),
    onPosition: showMap,
    onStage: (stage) => stage === 'nearby' && !isStage(page, 'nearby') && void look(),
    hasEnded: end,
  });
  const outbox = createOutbox({
    showWaiting: (waiting) => say('sending', waiting ?? ''),
    showRefusal: (code) => say('announcement', REFUSAL_WORDS[code] ?? words.sending.refused, true),
    apply,
    hasEnded: end,
  });

  function apply({ stage, parts }: DriverState): void {
    page.dataset.stage = stage;
    for (const [id, markup] of Object.entries(parts)) replacePart(id, markup);
    announce();
    if (stage === 'delivered') finish();
    else if (stage !== 'assigned') begin();
  }

  /** Shows the way to the next stop, so that the driver needs no other app, behind which the page stops sharing. */
  function showMap({ coords }: GeolocationPosition): void {
    const { mapFiles } = page.dataset;
    if (!mapFiles) return;
    const [driver, next] = [coords, isStage(page, 'accepted') ? store : door].map((at) => at && pointOf(at));
    if (!driver) return;
    const course = Number.isFinite(coords.heading) ? coords.heading : null;
    const places = { store: pointOf(store), door: door ? pointOf(door) : null, driver };
    const view = { ...places, course, way: next ? [driver, next] : [] };
    document.getElementById('driver-map')?.removeAttribute('hidden');
    liveMap ??= loadMap(JSON.parse(mapFiles), view);
    liveMap.then((map) => map.show(view)).catch(hideMap);
  }

  function begin(): void {
    sharing.start();
    stayAwake();
  }

  function finish(): void {
    hasEnded = true;
    sharing.stop();
    showState('sharing', SHARING_WORDS, 'off');
    hideMap();
    wakeLock?.release().catch(() => {});
  }

  /** Keeps the screen on, because phones with a dimmed screen stop reporting positions. Ignored if unsupported. */
  function stayAwake(): void {
    if (hasEnded || document.hidden || !('wakeLock' in navigator) || (wakeLock && !wakeLock.released)) return;
    navigator.wakeLock.request('screen').then(
      (lock) => {
        wakeLock = lock;
      },
      () => {},
    );
  }

  async function takeStep(button: HTMLButtonElement): Promise<void> {
    const step = button.dataset.step ?? '';
    const pressedAt = sharing.lastPosition();
    const entered = step === 'complete' ? doorEntries() : {};
    if (entered === undefined) return;
    if (step === 'complete' && !(await isThere(page, door, pressedAt?.coords))) return;
    button.disabled = true;
    // The phone asks for permission while the driver is looking at it.
    if (step === 'accept') begin();
    // A delivery's position is from the button press.
    const bodyOf = () => {
      const position = step === 'complete' ? pressedAt : sharing.lastPosition();
      return { ...(position && agedPosition(position)), ...entered };
    };
    await outbox.add(WAITING_WORDS[step] ?? '', () => postJson(step, bodyOf()));
    document.querySelector('#step')?.removeAttribute('disabled');
  }

  async function takePhoto(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    input.value = '';
    const photo = file && (await smallPhoto(file));
    if (!photo) return say('sending', file ? words.sending.badPhoto : '');
    const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: photo };
    await outbox.add(words.sending.photo, () => call('photo', init));
  }

  async function look(): Promise<void> {
    if (hasEnded || document.hidden || !outbox.isEmpty()) return;
    const answer = await call('state');
    showAfterPress(() => {
      // The response of a step that began meanwhile is newer.
      if (hasEnded || !outbox.isEmpty()) return;
      if (answer.kind === 'done' && answer.state) apply(answer.state);
      if (answer.kind === 'ended') end();
    });
  }

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLButtonElement>('#step');
    if (button) void takeStep(button);
  });
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.id === 'photo') void takePhoto(target);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    void look();
    if (!isStage(page, 'assigned')) stayAwake();
  });
  window.addEventListener('online', () => void look());
  window.setInterval(() => void look(), POLL_MS);
  if (!isStage(page, 'assigned')) begin();
  announce();
}

const pointOf = ({ latitude, longitude }: Position): MapPoint => [latitude, longitude];

const hideMap = () => document.getElementById('driver-map')?.setAttribute('hidden', '');

const isStage = (page: HTMLElement, stage: DriverStageShown) => page.dataset.stage === stage;

/** Shows a text. `again` makes screen readers announce the same text once more. */
function say(id: string, text: string, again = false): undefined {
  const element = document.getElementById(again ? 'sending' : id);
  if (element && (again || element.textContent !== text)) element.textContent = text;
}

/** The driver's entries at the door; undefined, with the reason shown, if an entry is missing. */
function doorEntries(): object | undefined {
  const field = (id: string) => document.querySelector<HTMLInputElement>(id);
  const [idCheck, code, cash] = [field('#id-checked'), field('#handover-code'), field('#collected')];
  const cents = cash ? readAmount(cash.value) : 0;
  const reasons = [
    idCheck?.checked === false && words.sending.idFirst,
    code?.value.trim() === '' && words.proof.codeFirst,
    cents === undefined && words.proof.collectedWrong,
  ];
  const proof = document.querySelector<HTMLElement>('#proof');
  if (proof && !isRight(proof, document.querySelector('#step') ?? undefined)) {
    return say('sending', reasons.find((reason) => reason !== false) || '');
  }
  return {
    ...(idCheck && { id_checked: true }),
    ...(code && { code: code.value.trim() }),
    ...(cash && { collected_cents: cents }),
  };
}

/** Asks a driver who seems to be far from the address. A phone's position may be wrong, so the driver decides. */
async function isThere(page: HTMLElement, door: Position | undefined, place: Position | undefined): Promise<boolean> {
  const dialog = document.querySelector<HTMLDialogElement>('#far');
  const meters = door && place ? metersBetween(door, place) : 0;
  if (!dialog || meters <= NEAR_METERS) return true;
  const question = document.getElementById('far-words');
  const distance = format(page).distance(meters / METERS_PER_MILE);
  if (question) question.textContent = words.far.question({ distance });
  dialog.showModal();
  return new Promise((done) => {
    const answer = (isDelivered: boolean) => {
      dialog.close();
      done(isDelivered);
    };
    const button = (id: string) => document.querySelector<HTMLButtonElement>(id);
    const [yes, no] = [button('#far-yes'), button('#far-no')];
    if (yes) yes.onclick = () => answer(true);
    if (no) no.onclick = () => answer(false);
    dialog.oncancel = () => done(false);
  });
}

const shown = new Map<string, string>();

/** Replaces a part only if it changed, so that a checked box stays checked. */
function replacePart(id: string, markup: string): void {
  const old = document.getElementById(id);
  if (!old || (shown.get(id) ?? '') === markup) return;
  shown.set(id, markup);
  replaceElement(old, markup, (next) => next.innerHTML !== old.outerHTML.replaceAll(MARKS, ''));
}

watchForms();
const main = document.querySelector<HTMLElement>('main[data-stage]');
if (main) drive(main);

/** Maximum length of a photo's longer side in pixels, enough to recognize a door, a bag and a house number. */
const MAX_SIDE = 1600;
const MAX_BYTES = 500_000;
const QUALITIES = [0.85, 0.7, 0.55, 0.4];

/** A smaller, upright JPEG of a picture without the camera's metadata; undefined if the phone cannot read it. */
async function smallPhoto(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return undefined;
  for (let side = MAX_SIDE; side >= MAX_SIDE / 4; side /= 2) {
    const canvas = drawn(picture, side);
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', quality));
      if (blob && blob.size <= MAX_BYTES) return blob;
    }
  }
  return undefined;
}

function drawn(picture: ImageBitmap, maxSide: number): HTMLCanvasElement {
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
