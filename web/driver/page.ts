import type { DriverStageShown, DriverState } from '../../src/fulfillment/deliveries/driver-view.ts';
import { NEAR_METERS, type Position } from '../../src/fulfillment/deliveries/position.ts';
import { metersBetween } from '../../src/platform/lib/geo/sphere.ts';
import { call, postJson } from './connection.ts';
import { createOutbox } from './outbox.ts';
import { createSharing, type Sharing } from './share-position.ts';

/** What the store does (ready, canceled, another driver) is on the page within this time. */
const LOOK_MS = 10_000;

const SHARING_WORDS: Readonly<Record<Sharing, string>> = {
  off: '',
  asking: 'Allow the position, so that the customer can follow you.',
  on: 'Your position is shared until you have delivered.',
  lost: 'No connection. The last position is sent when there is one.',
  searching: 'Your phone does not know its position at the moment.',
  denied:
    'Your position is not shared: this page may not use it. Allow the location for this page in the settings of your browser, then open the link again. The buttons work without it.',
};

const WAITING_WORDS: Readonly<Record<string, string>> = {
  accept: '“Accept” is sent when there is a connection. Keep this page open.',
  pick_up: '“Picked up” is sent when there is a connection. Keep this page open.',
  complete: '“Delivered” is sent when there is a connection. Keep this page open.',
};

function drive(page: HTMLElement): void {
  const door: Position | undefined = page.dataset.door ? JSON.parse(page.dataset.door) : undefined;
  let hasEnded = false;
  let wakeLock: WakeLockSentinel | undefined;

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    sharing.stop();
    location.reload();
  };
  const sharing = createSharing({
    show: showSharing,
    isAt: (stage) => stage === 'nearby' && !isStage(page, 'nearby') && void look(),
    hasEnded: end,
  });
  const outbox = createOutbox({
    showWaiting: (words) => say('sending', words ?? ''),
    showRefusal: (words) => say('announcement', words, true),
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

  function begin(): void {
    sharing.start();
    stayAwake();
  }

  function finish(): void {
    hasEnded = true;
    sharing.stop();
    showSharing('off');
    wakeLock?.release().catch(() => {});
  }

  /** Phones that dim their screen stop reporting positions; a phone that cannot stay awake says so by refusing. */
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
    const place = positionNow();
    const idCheck = document.querySelector<HTMLInputElement>('#id-checked');
    if (step === 'complete' && idCheck && !idCheck.checked) return remindOfId(idCheck);
    if (step === 'complete' && !(await isThere(door, place))) return;
    button.disabled = true;
    // The phone asks for its permission while the driver looks at it.
    if (step === 'accept') begin();
    const idChecked = idCheck ? { id_checked: idCheck.checked } : {};
    // The place of a delivery is that of the press. A pick-up that waits for a connection must not move the driver back.
    const bodyOf = () => (step === 'complete' ? { ...place, ...idChecked } : { ...positionNow() });
    await outbox.add(WAITING_WORDS[step] ?? '', () => postJson(step, bodyOf()));
    document.querySelector('#step')?.removeAttribute('disabled');
  }

  function positionNow(): Position | undefined {
    const { coords } = sharing.lastPosition() ?? {};
    return coords && { latitude: coords.latitude, longitude: coords.longitude };
  }

  async function takePhoto(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    input.value = '';
    const photo = file && (await smallPhoto(file));
    if (!photo) return say('sending', file ? 'This picture cannot be read. Take another one.' : '');
    const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: photo };
    await outbox.add('The photo is sent when there is a connection. Keep this page open.', () => call('photo', init));
  }

  async function look(): Promise<void> {
    if (hasEnded || document.hidden || !outbox.isEmpty()) return;
    const answer = await call('state');
    // A step that began meanwhile knows better.
    if (hasEnded || !outbox.isEmpty()) return;
    if (answer.kind === 'done' && answer.state) apply(answer.state);
    if (answer.kind === 'ended') end();
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
  window.setInterval(() => void look(), LOOK_MS);
  if (!isStage(page, 'assigned')) begin();
  announce();
}

const isStage = (page: HTMLElement, stage: DriverStageShown) => page.dataset.stage === stage;

function showSharing(sharing: Sharing): void {
  const element = document.getElementById('sharing');
  if (!element || element.dataset.state === sharing) return;
  element.dataset.state = sharing;
  element.textContent = SHARING_WORDS[sharing];
}

/** `again` says the same words to screen readers once more, and shows them. */
function say(id: string, words: string, again = false): void {
  const element = document.getElementById(again ? 'sending' : id);
  if (element && (again || element.textContent !== words)) element.textContent = words;
}

function remindOfId(idCheck: HTMLInputElement): void {
  say('sending', 'This order has alcohol: see an ID first, and tick the box.');
  idCheck.focus();
}

/** Asks a driver who seems to be far from the door; a phone's position may be wrong, so the driver decides. */
async function isThere(door: Position | undefined, place: Position | undefined): Promise<boolean> {
  const dialog = document.querySelector<HTMLDialogElement>('#far');
  const meters = door && place ? metersBetween(door, place) : 0;
  if (!dialog || meters <= NEAR_METERS) return true;
  const words = document.getElementById('far-words');
  if (words)
    words.textContent = `Your phone is ${(meters / 1000).toFixed(1)} km from the door. Is the order delivered?`;
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

/** Replaces only a changed part, so that a ticked box stays ticked; a focused element keeps the focus. */
function replacePart(id: string, markup: string): void {
  const old = document.getElementById(id);
  if (!old || (shown.get(id) ?? '') === markup) return;
  const template = document.createElement('template');
  template.innerHTML = markup;
  const isSame = template.innerHTML === old.outerHTML;
  shown.set(id, markup);
  if (isSame) return;
  const focused = old.contains(document.activeElement) ? document.activeElement?.id : '';
  old.replaceWith(template.content);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Announces a change once to screen readers. */
function announce(): void {
  const words = `${document.getElementById('headline')?.textContent}. ${document.querySelector('.detail')?.textContent}`;
  const status = document.getElementById('announcement');
  if (!status || status.dataset.told === words) return;
  if (status.dataset.told) status.textContent = words;
  status.dataset.told = words;
}

const main = document.querySelector<HTMLElement>('main[data-stage]');
if (main) drive(main);

/** The longer side of a photo: a door, a bag and a house number can be told from it. */
const MAX_SIDE = 1600;
const MAX_BYTES = 500_000;
const QUALITIES = [0.85, 0.7, 0.55, 0.4];

/** A smaller JPEG of a picture, turned upright, without the camera's metadata. Undefined where the phone cannot read it. */
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
