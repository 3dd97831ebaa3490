import { SESSION_COOKIE } from '../authentication/schemes/session-cookie.scheme.js';

/** The names of the two descriptions. */
export const SURFACE_NAMES = ['v1', 'internal'] as const;
export type SurfaceName = (typeof SURFACE_NAMES)[number];

/** What one of the two descriptions covers (specification, part "Reference UI and description documents"). */
export interface Surface {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Whether a path belongs to it. */
  covers(path: string): boolean;
  /** The security schemes that its operations name. */
  readonly schemes: readonly string[];
}

/** How a caller may authenticate; both descriptions advertise all three. */
export const SECURITY_SCHEMES = {
  cookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a browser that signed in.' },
  'x-personal-token': {
    type: 'apiKey',
    in: 'header',
    name: 'x-personal-token',
    description: 'A personal access token; acts as its user.',
  },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The credential of a service account.' },
} as const;

const V1_ROOT = '/api/v1/';

export const SURFACES: Readonly<Record<SurfaceName, Surface>> = {
  v1: {
    title: 'Device Management API',
    version: '1.0',
    description: 'The stable contract for automation.',
    covers: (path) => path.startsWith(V1_ROOT),
    schemes: Object.keys(SECURITY_SCHEMES),
  },
  internal: {
    title: 'Device Management internal API',
    version: '1.0',
    description: 'Routes of the web front end, which may change at any time, and of device agents. Integrate against v1 instead.',
    covers: (path) => path.startsWith('/api/') && !path.startsWith(V1_ROOT),
    // API keys are for automation, which this description is not meant for.
    schemes: Object.keys(SECURITY_SCHEMES).filter((scheme) => scheme !== 'x-api-key'),
  },
};
