import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addressOf, post } from './api.ts';
import { useNow } from './hooks.ts';
import { type Live, useLive } from './live.ts';
import { type Sound, useSound } from './sound.ts';
import { isRinging, WaitingView } from './waiting.tsx';
import { durationInWords } from './words.ts';

const TITLE = 'Operator · Doorstep';
const TABS = [['waiting', 'Waiting']] as const;

/** `#/orders/ID?q=x` as its parts. */
function placeOf(hash: string): { tab: string; id: string | undefined; query: URLSearchParams } {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [tab = '', id] = path.split('/');
  return { tab: tab || 'waiting', id: id ? decodeURIComponent(id) : undefined, query: new URLSearchParams(query) };
}

function usePlace() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return placeOf(hash);
}

/** The title blinks while an order rings, so that a tab in the background is seen. */
function useTitle(ringing: number): void {
  useEffect(() => {
    if (ringing === 0) {
      document.title = TITLE;
      return;
    }
    let isOn = false;
    const blink = () => {
      isOn = !isOn;
      document.title = isOn ? `(${ringing}) NOBODY ANSWERS` : TITLE;
    };
    blink();
    const timer = setInterval(blink, 1000);
    return () => clearInterval(timer);
  }, [ringing]);
}

function App() {
  const live = useLive();
  const now = useNow();
  const place = usePlace();
  const ringing = (live.waiting?.orders ?? []).filter((order) => isRinging(order, now + live.aheadS)).length;
  const sound = useSound(ringing > 0);
  useTitle(ringing);
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <Top tab={place.tab} ringing={ringing} live={live} sound={sound} now={now} />
      <main id="main" tabIndex={-1}>
        <WaitingView live={live} />
      </main>
    </>
  );
}

type TopProps = { tab: string; ringing: number; live: Live; sound: Sound; now: number };

function Top({ tab, ringing, live, sound, now }: TopProps) {
  return (
    <header class={ringing > 0 ? 'top rings' : 'top'}>
      <p class="name">
        Doorstep <span>operator</span>
      </p>
      <nav aria-label="Views">
        {TABS.map(([name, words]) => (
          <a key={name} href={`#/${name}`} aria-current={name === tab ? 'page' : undefined}>
            {words}
            {name === 'waiting' && ringing > 0 && <b class="count">{ringing}</b>}
          </a>
        ))}
      </nav>
      <p class="link-state" role="status">
        {live.lostSince === undefined ? (
          <span class="good-text">● live</span>
        ) : (
          <span class="bad-text">● no connection for {durationInWords(now - live.lostSince)}</span>
        )}
      </p>
      <SoundButton sound={sound} />
      <button
        type="button"
        onClick={() => void post('/console/sign-out').finally(() => location.assign(addressOf('/console')))}
      >
        Sign out
      </button>
    </header>
  );
}

const SOUND_WORDS = { on: 'Sound on', off: 'Sound off', blocked: 'Click for sound' };

function SoundButton({ sound }: { sound: Sound }) {
  return (
    <button
      type="button"
      class={sound.state === 'on' ? '' : 'warn'}
      aria-pressed={sound.state !== 'off'}
      onClick={() => sound.state !== 'blocked' && sound.toggle()}
    >
      {SOUND_WORDS[sound.state]}
    </button>
  );
}

const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
