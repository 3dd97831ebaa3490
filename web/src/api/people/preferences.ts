import { queryOptions } from '@tanstack/react-query';

import type { Versioned } from '../../state/versioned.js';
import { api, bodyOf, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ifMatch, versionOf } from '../versioned.js';

/** A stored preference; without one the answer has no body. */
type Stored = Schemas['UserPreferenceResponseDto'] | undefined;

const CHANGES = ['preferences', 'session'] as const;
const VIEWER_NAME = 'user-display-name';

/** Preferences in force, after the settings by which the tenant can override them. */
export const effectivePreferencesQuery = queryOptions({
  queryKey: ['preferences', 'effective'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/effective-user-preferences', { signal })),
});

/** Stores the choice to tell people at a device that a session starts. */
export const storeNotify = mutation(CHANGES, (isTold: boolean) =>
  api.POST('/api/v1/user-preferences', { body: { name: 'notify-user-on-session-start', value: String(isTold) } }),
);

/** Reads the name of the user for people at a device. */
export const readViewerName = (): Promise<Versioned<Stored>> =>
  versionOf(api.GET('/api/v1/user-preferences/{name}', { params: { path: { name: VIEWER_NAME } } }));

/** Changes that name, if it still has the state with the tag; null is for any. An empty one removes it. */
export const storeViewerName = mutation(CHANGES, (value: string, tag: string | null): Promise<Versioned<Stored>> =>
  versionOf(api.POST('/api/v1/user-preferences', { body: { name: VIEWER_NAME, value }, headers: ifMatch(tag) })),
);
