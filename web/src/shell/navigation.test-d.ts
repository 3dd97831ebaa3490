import { User } from 'lucide';

import type { NavigationEntry } from './navigation.js';

/* The navigation leads to addresses that there are, under texts that there are. */

export const right: NavigationEntry = { to: '/users', text: 'users', icon: User };
// @ts-expect-error: a typo in the address
export const wrongAddress: NavigationEntry = { to: '/userz', text: 'users', icon: User };
// @ts-expect-error: a typo in the text
export const wrongText: NavigationEntry = { to: '/users', text: 'userz', icon: User };
