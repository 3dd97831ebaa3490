import type { Desktop } from '../../../api/devices/desktops.js';

/** The desktop of a process in the address; without one, the first that has a signed-in user. */
export function chosenDesktop(desktops: readonly Desktop[], process: string | undefined): Desktop | undefined {
  const named = desktops.find(({ processId }) => String(processId) === process);
  return named ?? desktops.find(({ username }) => username !== '') ?? desktops.at(0);
}
