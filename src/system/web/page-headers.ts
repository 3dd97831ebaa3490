/**
 * Policy of the front end's pages: they run, load and reach only content of this service. Nothing may frame them, and nothing in them
 * may turn text into scripts. `data:` and `blob:` are pictures: the cursor of a remote screen, and previews. The one policy of Trusted
 * Types, `desktop-worker`, gives out the address of the worker that draws desktops, and throws for any other.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types desktop-worker',
].join('; ');

/** Features that pages use, for this origin only, and features that no page of this service ever asks for. */
const PERMISSIONS = [
  'clipboard-read=(self)',
  'clipboard-write=(self)',
  'fullscreen=(self)',
  'keyboard-map=(self)',
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ');

/** The security headers of everything that belongs to the front end. They replace those of answers to programs. */
export const PAGE_HEADERS = [
  ['Content-Security-Policy', POLICY],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', PERMISSIONS],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
] as const;
