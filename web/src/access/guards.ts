import { redirect } from '@tanstack/react-router';

import { queryClient } from '../api/queries.js';
// After the first call, refused requests can wait until the user has signed in again.
import './proof.js';
import { type Session, sessionQuery } from './session.js';

/**
 * Lets signed-in users through, and leads others to the sign-in page and back. A session that reaches one device only sees the page of
 * that device and nothing else.
 */
export async function requireSignedIn(href: string): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery);
  if (session === null) throw redirect({ to: '/signin', search: { next: href }, replace: true });
  if (session.user.mustChangePassword) throw redirect({ to: '/password-change-required', search: { next: href }, replace: true });
  if (session.deviceId !== null && !isPageOf(session.deviceId, href))
    throw redirect({ to: '/devices/$deviceId', params: { deviceId: session.deviceId }, replace: true });
  return session;
}

/** Path of this origin to open after the sign-in, by default the list of devices. One that begins with two slashes would name another host. */
export function localPath(next: string | undefined): string {
  if (next === undefined) return '/devices';
  const url = URL.parse(next, location.origin);
  return url !== null && url.origin === location.origin && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : '/devices';
}

/** True if an address of this origin is the page of a device, or one of its tabs. */
function isPageOf(deviceId: string, href: string): boolean {
  const page = `/devices/${deviceId}`;
  const { pathname } = new URL(href, location.origin);
  return pathname === page || pathname.startsWith(`${page}/`);
}
