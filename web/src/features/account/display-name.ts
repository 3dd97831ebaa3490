import { api, type Schemas } from '../../api/client.js';
import { ifMatch, versionOf } from '../../api/versioned.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';

const formOf = ({ displayName }: Schemas['ProfileResponseDto']): FormValues => ({ displayName });

/** Initial values of the profile form. */
export const displayNameIn = (profile: Versioned<Schemas['ProfileResponseDto']>): Versioned<FormValues> => versionAs(profile, formOf);

/** The name that others see, as a form changes it. */
export const DISPLAY_NAME: Editable = {
  read: async () => displayNameIn(await versionOf(api.GET('/account/profile'))),
  async save({ displayName = '' }, tag) {
    return displayNameIn(await versionOf(api.PUT('/account/profile', { body: { displayName }, headers: ifMatch(tag) })));
  },
};
