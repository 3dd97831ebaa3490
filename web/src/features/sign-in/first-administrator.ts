import { lazy } from 'react';

import type { Schemas } from '../../model/schemas.js';

/** Says how the first administrator is created: loaded where a server has no user. */
export const FirstAdministrator = lazy(async () => ({ default: (await import('./FirstAdministratorSteps.js')).FirstAdministratorSteps }));

/** True if no one can sign in: there is no user, and no one can register. */
export const isWithoutUsers = ({ isOpen, hasUsers }: Schemas['RegistrationOfferDto']): boolean => !isOpen && !hasUsers;
