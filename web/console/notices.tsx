import { useEffect, useState } from 'preact/hooks';
import { store as words } from '../../src/platform/languages/en/store.ts';
import { Button } from './button.tsx';

const NOTICE_DURATION_MS = 12_000;

/** A button of a notice, such as an undo. */
export type NoticeAction = { label: string; run: () => void };
export type Notice = { id: number; text: string; action?: NoticeAction | undefined };
export type Tell = (text: string, action?: NoticeAction) => void;

/** Short messages about events, which disappear after a while or when dismissed. */
export function useNotices(): { notices: readonly Notice[]; tell: Tell; close: (id: number) => void } {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const close = (id: number) => setNotices((shown) => shown.filter((notice) => notice.id !== id));
  const tell: Tell = (text, action) => {
    const id = performance.now();
    setNotices((shown) => [...shown.filter((notice) => notice.text !== text), { id, text, action }]);
    window.setTimeout(() => close(id), NOTICE_DURATION_MS);
  };
  return { notices, tell, close };
}

export function Notices({ notices, close }: { notices: readonly Notice[]; close: (id: number) => void }) {
  return (
    <div class="notices" role="status">
      {notices.map(({ id, text, action }) => (
        <div class="notice" key={id}>
          <p>{text}</p>
          {action && (
            <Button
              kind="quiet"
              onPress={() => {
                close(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button kind="quiet" onPress={() => close(id)}>
            {words.frame.ok}
          </Button>
        </div>
      ))}
    </div>
  );
}

/** A part of the page that screen readers announce when it appears. */
export function Alert({ text }: { text: string }) {
  // The live region is rendered before its text, because screen readers announce changes only.
  const [shown, setShown] = useState('');
  useEffect(() => setShown(text), [text]);
  return (
    <p class="error" role="alert">
      {shown}
    </p>
  );
}
