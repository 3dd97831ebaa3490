import { problemOf } from '../../problem/problem.js';
import { api } from '../client.js';
import { mutation } from '../mutation.js';

const pathOf = (deviceId: string, sessionId: string) => ({ params: { path: { deviceId, sessionId } } });

/** Notes that the session with this id at the relay is being recorded. */
export const noteRecording = mutation(['device-activity'], (deviceId: string, sessionId: string) =>
  api.PUT('/api/inventory/devices/{deviceId}/recordings/{sessionId}', pathOf(deviceId, sessionId)),
);

/** Notes that the recording has ended. The end of the session may have done so before. */
export const noteRecordingEnd = mutation(['device-activity'], async (deviceId: string, sessionId: string) => {
  try {
    await api.DELETE('/api/inventory/devices/{deviceId}/recordings/{sessionId}', pathOf(deviceId, sessionId));
  } catch (error) {
    if (problemOf(error).status !== 404) throw error;
  }
});
