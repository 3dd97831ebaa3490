import { Injectable } from '@nestjs/common';

import { agentClient, DESKTOP_SESSION_REASON, type HubResult } from '#libs/contracts';

import { callerIdOf, type Principal } from '../../access/authentication/principals/principal.js';
import { DomainError, ErrorCode, forbidden, RefusedByDevice } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { DesktopReach } from '../device-link/desktop-reach.js';
import { deviceUnusable } from '../device-link/device-failures.js';
import { DeviceLink } from '../device-link/device-link.js';
import { readStream } from '../device-link/read-stream.js';
import type { ResponseBody } from '../file-system/response-body.js';

const SWITCHED_OFF = 'Desktop previews are turned off on this server.';

/** The part of a response body that a picture is written to. */
type PreviewBody = Pick<ResponseBody, 'send' | 'signal'>;

/** Pictures of device desktops. Taking one may need long, so nothing here has a time-out. */
@Injectable()
export class DesktopPreviewService {
  constructor(
    private readonly link: DeviceLink,
    private readonly desktops: DesktopReach,
    private readonly settings: Settings,
  ) {}

  /**
   * Writes a picture of the desktop that a process of the device shows. 404 while `DisableDesktopPreview` is set, 409
   * when the device is offline, 502 with the device's reason when it refuses.
   */
  async write(principal: Principal, deviceId: string, targetProcessId: number, body: PreviewBody): Promise<void> {
    if (this.settings.appOptions.disableDesktopPreview) throw new DomainError(ErrorCode.NotFound, SWITCHED_OFF);
    if (!(await this.desktops.mayReachProcess(principal, deviceId, targetProcessId))) throw forbidden(DESKTOP_SESSION_REASON);
    const requesterId = callerIdOf(principal);
    await this.link.openStream<Uint8Array, HubResult, void>(
      deviceId,
      'bytes',
      async (invoke, streamId) => {
        const answer = await invoke(agentClient.RequestDesktopPreview, [{ requesterId, streamId, targetProcessId }]);
        // A preview has no path, so every refusal comes from the device itself.
        if (!answer.isSuccess) throw new RefusedByDevice(answer.reason ?? 'The device refused without a reason.');
        return answer;
      },
      ({ items }, answer) =>
        body.send({ 'Content-Type': 'image/jpeg' }, pictureOf(readStream(items, { idleMs: 'unlimited', signal: body.signal }), answer)),
      { openWithin: 'unlimited', signal: body.signal },
    );
  }
}

/** The parts of a picture. When the stream is empty, the device's answer may contain the reason. */
async function* pictureOf(parts: AsyncIterable<Uint8Array>, answer: Promise<HubResult>): AsyncIterable<Uint8Array> {
  let isEmpty = true;
  for await (const part of parts) {
    if (part.length === 0) continue;
    isEmpty = false;
    yield part;
  }
  if (!isEmpty) return;
  await answer;
  throw deviceUnusable();
}
