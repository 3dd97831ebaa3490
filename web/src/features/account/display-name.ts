import { type Profile, readProfile, setDisplayName } from '../../api/people/account.js';
import { versionAs, type Versioned } from '../../state/versioned.js';
import type { Editable } from '../../ui/edit/save-over.js';
import type { FormValues } from '../../ui/form/Form.js';
import type { Schemas } from '../../model/schemas.js';

/** Fields of the profile form. */
export type ProfileField = keyof Schemas['ChangeProfileRequestDto'];

const formOf = ({ displayName }: Profile): FormValues<ProfileField> => ({ displayName });

/** Initial values of the profile form. */
export const displayNameIn = (profile: Versioned<Profile>): Versioned<FormValues<ProfileField>> => versionAs(profile, formOf);

/** The name that others see, as a form changes it. */
export const DISPLAY_NAME: Editable<ProfileField> = {
  read: async () => displayNameIn(await readProfile()),
  save: async ({ displayName = '' }, tag) => displayNameIn(await setDisplayName(displayName, tag)),
};
