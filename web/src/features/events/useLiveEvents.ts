import { useEffect, useEffectEvent, useState } from 'react';

import { delayOf } from '../../live/backoff.js';
import { addEvent, type EventFilter, eventStreamAddress, type TenantEvent } from '../../api/system/events.js';

/**
 * Adds events to the list as they happen, behind the newest one that it has, while the page is shown. Returns true while the stream is open.
 * @param newest id of the newest event; undefined while the list is empty
 * @param onRefused called when the service refuses the stream, and when it takes it again: the list then tells why, or no more
 */
export function useLiveEvents(filter: EventFilter, isReady: boolean, newest: string | undefined, onRefused: () => void): boolean {
  const [isOpen, setOpen] = useState(false);
  const { kinds, deviceId } = filter;
  // The stream goes on by itself when events come: only another list begins another one.
  const newestNow = useEffectEvent(() => newest);
  const refused = useEffectEvent(onRefused);
  useEffect(() => {
    if (!isReady) return undefined;
    let source: EventSource | null = null;
    let timer: number | undefined;
    let last = newestNow();
    let refusals = 0;
    const close = (): void => {
      window.clearTimeout(timer);
      source?.close();
      source = null;
      setOpen(false);
    };
    const open = (): void => {
      close();
      // A browser opens few connections to a server: pages that nobody sees need none.
      if (document.hidden) return;
      const opened = new EventSource(eventStreamAddress({ kinds, deviceId }, last));
      source = opened;
      opened.addEventListener('open', () => {
        setOpen(true);
        if (refusals > 0) refused();
        refusals = 0;
      });
      opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
        last = lastEventId;
        addEvent({ kinds, deviceId }, JSON.parse(data) as TenantEvent);
      });
      opened.addEventListener('error', () => {
        setOpen(false);
        // Otherwise the browser connects again by itself.
        if (opened.readyState !== EventSource.CLOSED) return;
        refused();
        timer = window.setTimeout(open, delayOf(refusals));
        refusals += 1;
      });
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [kinds, deviceId, isReady]);
  return isOpen;
}
