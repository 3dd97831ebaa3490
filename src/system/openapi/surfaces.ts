import { SESSION_COOKIE } from '../../access/authentication/sessions/session-cookie.js';
import { ACCOUNT_INTRODUCTION, EVENTS_INTRODUCTION, INTERNAL_INTRODUCTION, INVENTORY_INTRODUCTION, KEY_FORMAT, V1_INTRODUCTION } from './introductions.js';

/** The names of the descriptions. */
export const SURFACE_NAMES = ['v1', 'internal', 'account', 'inventory', 'events'] as const;
export type SurfaceName = (typeof SURFACE_NAMES)[number];

/** Scope of one of the descriptions. */
export interface Surface {
  readonly title: string;
  readonly version: string;
  /** Markdown. */
  readonly description: string;
  /** Checks that a path belongs to the surface. */
  covers(path: string): boolean;
  /** The security schemes of its operations. */
  readonly schemes: readonly string[];
}

/** The authentication schemes that descriptions advertise. */
export const SECURITY_SCHEMES = {
  'x-api-key': {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: `The API key of a service account, for integrations and automation.\n\n${KEY_FORMAT}`,
  },
  'x-personal-token': {
    type: 'apiKey',
    in: 'header',
    name: 'x-personal-token',
    description: 'A personal access token, for scripts that act as a user. It wins over `x-api-key` when both are sent. The format is that of an API key.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The session of a browser in which a user signed in. It is looked at only when no other credential is sent.',
  },
} as const;

const V1_ROOT = '/api/v1/';
const ACCOUNT_ROOT = '/account';
const INVENTORY_ROOT = '/api/inventory/';
const EVENT_ROOTS = ['/api/events', '/api/webhooks'];

const isOfEvents = (path: string): boolean => EVENT_ROOTS.some((root) => path === root || path.startsWith(`${root}/`));

export const SURFACES: Readonly<Record<SurfaceName, Surface>> = {
  v1: {
    title: 'Device Management API',
    version: '1.0',
    description: V1_INTRODUCTION,
    covers: (path) => path.startsWith(V1_ROOT),
    schemes: Object.keys(SECURITY_SCHEMES),
  },
  internal: {
    title: 'Device Management internal API',
    version: '1.0',
    description: INTERNAL_INTRODUCTION,
    covers: (path) => path.startsWith('/api/') && !path.startsWith(V1_ROOT) && !path.startsWith(INVENTORY_ROOT) && !isOfEvents(path),
    // API keys are for automation, which should use the v1 surface.
    schemes: Object.keys(SECURITY_SCHEMES).filter((scheme) => scheme !== 'x-api-key'),
  },
  account: {
    title: 'Device Management account API',
    version: '1.0',
    description: ACCOUNT_INTRODUCTION,
    covers: (path) => path === ACCOUNT_ROOT || path.startsWith(`${ACCOUNT_ROOT}/`),
    schemes: Object.keys(SECURITY_SCHEMES),
  },
  inventory: {
    title: 'Device Management inventory API',
    version: '1.0',
    description: INVENTORY_INTRODUCTION,
    covers: (path) => path.startsWith(INVENTORY_ROOT),
    schemes: Object.keys(SECURITY_SCHEMES),
  },
  events: {
    title: 'Device Management events API',
    version: '1.0',
    description: EVENTS_INTRODUCTION,
    covers: isOfEvents,
    schemes: Object.keys(SECURITY_SCHEMES),
  },
};
