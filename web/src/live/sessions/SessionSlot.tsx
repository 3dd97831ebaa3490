import { type ReactNode, useLayoutEffect, useRef } from 'react';

import type { Session } from './sessions.js';

interface SessionSlotProps {
  readonly session: Session;
  readonly className?: string;
}

/** The place of a session on a page. Its element moves in here, and out again with the page. */
export function SessionSlot({ session, className }: SessionSlotProps): ReactNode {
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { host } = session;
    if (host === undefined || slot.current === null) return undefined;
    slot.current.append(host);
    session.onShown?.(true);
    return () => {
      host.remove();
      session.onShown?.(false);
    };
  }, [session]);
  return <div ref={slot} className={className} />;
}
