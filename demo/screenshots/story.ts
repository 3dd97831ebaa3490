import { changeAccess } from './chapters/access.js';
import { connectPrograms } from './chapters/programs.js';
import { deployFirstDevice, register } from './chapters/first-hour.js';
import { listDevices } from './chapters/lists.js';
import { workOnDevice } from './chapters/sessions.js';
import { furnish } from './office.js';
import type { Stage } from './stage.js';

/** Follows the steps of the guide, in its order, and takes each picture on the way. */
export async function tellStory(stage: Stage): Promise<void> {
  await register(stage);
  await deployFirstDevice(stage);
  const office = await furnish(stage);
  await workOnDevice(stage, office);
  await listDevices(stage, office);
  await changeAccess(stage, office);
  await connectPrograms(stage, office);
}
