import type { Desktop } from '../../../api/desktops.js';

/** The desktop of a process in the address; without one, the first at which somebody is signed in. */
export function chosenDesktop(desktops: readonly Desktop[], process: string | undefined): Desktop | undefined {
  const named = desktops.find(({ processId }) => String(processId) === process);
  return named ?? desktops.find(({ username }) => username !== '') ?? desktops.at(0);
}
