import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { ChatResponseHubDto, TerminalOutputDto } from '#libs/contracts';

import type { ChatOutcome } from '../../hubs/viewer/chat/chat-outcome.js';
import type { OtherViewers } from '../../hubs/viewer/other-viewers.js';
import { BoundedMap } from '../../../platform/common/collections/bounded-map.js';
import { AuthorizationService } from '../../../access/authorization/evaluation/authorization.service.js';
import { throughOutage } from '../../hubs/viewer/through-outage.js';
import { messageOf } from '../../../platform/common/errors/errors.js';
import { ServerNode } from '../../../platform/node/server-node.js';
import { NodeUnreachable, NotDone, OutcomeUnknown, TooManyNodeCalls } from '../line/node-calls.js';
import { RepeatedOutputs } from './repeated-outputs.js';
import { ServiceLine } from '../service-line.js';
import { carriedChat, carriedOutput } from './viewer-calls.js';
import { ViewerDirectory } from './viewer-directory.js';

/** Time for which an output is sent again while the node of its viewer cannot be reached, in milliseconds. */
const REPEAT_OUTPUT_MS = 10_000;
const REPEAT_PAUSE_MS = 250;
/** A slow viewer may take this long to read, in milliseconds. Its node answers when it has. */
const OUTPUT_WITHIN_MS = 600_000;
/** Deadline of the other calls, in milliseconds: longer than a viewer has for its answer in a chat. */
const WITHIN_MS = 60_000;
/** Deadline of what a new terminal waits for, in milliseconds. */
const TOOK_OVER_WITHIN_MS = 1_000;
/** Most devices whose tenants are kept. */
const MAXIMUM_TENANTS = 10_000;

/** The viewers of other nodes, and the places of those of this node. */
@Injectable()
export class RemoteViewers implements OtherViewers {
  private readonly logger = new Logger('Nodes');
  private readonly noted = new Map<string, Promise<void>>();
  /** Outputs that this node knows of are repeated by others. */
  readonly repeated = new RepeatedOutputs();
  private lastNumber = 0;
  /** By device. One that has moved counts for its former tenant here: they only share the calls between nodes. */
  private readonly tenants = new BoundedMap<string, string>(MAXIMUM_TENANTS);

  constructor(
    private readonly directory: ViewerDirectory,
    private readonly line: ServiceLine,
    private readonly node: ServerNode,
    private readonly authorization: AuthorizationService,
  ) {}

  arrived(viewerConnectionId: string): Promise<void> {
    const noted = this.noted.get(viewerConnectionId) ?? this.directory.add(viewerConnectionId);
    this.noted.set(viewerConnectionId, noted);
    // One that failed is tried again by the next use.
    noted.catch(() => this.noted.delete(viewerConnectionId));
    return noted;
  }

  left(viewerConnectionId: string): void {
    this.repeated.left(viewerConnectionId);
    const noted = this.noted.get(viewerConnectionId);
    if (noted === undefined) return;
    this.noted.delete(viewerConnectionId);
    noted.then(() => this.directory.remove(viewerConnectionId)).catch((error: unknown) => this.notRemoved(viewerConnectionId, error));
  }

  async tookOver(deviceId: string, terminalId: string): Promise<void> {
    const tell = (nodeId: string): Promise<null> => this.line.calls.call(nodeId, 'TakenOver', [deviceId, terminalId], TOOK_OVER_WITHIN_MS);
    // At a node that does not hear it, the terminal is closed when its former viewer leaves.
    await Promise.allSettled(this.line.heardNodes.map(tell));
  }

  /** Passes output on. While the node of the viewer cannot be reached, it is sent again for a time, under its number. */
  async output(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<boolean> {
    this.lastNumber += 1;
    const number = this.lastNumber;
    const carried = carriedOutput(output);
    const user = await this.tenantOf(deviceId);
    let failingSince: number | null = null;
    for (;;) {
      const nodeId = await throughOutage(
        () => this.directory.find(viewerConnectionId),
        () => true,
      );
      if (nodeId === undefined) return false;
      try {
        const args: [string, string, string, number, unknown] = [viewerConnectionId, deviceId, this.node.id, number, carried];
        return await this.line.calls.call(nodeId, 'Output', args, OUTPUT_WITHIN_MS, { user, share: 'output' });
      } catch (error) {
        failingSince ??= performance.now();
        if (!isRepeatable(error) || performance.now() - failingSince > REPEAT_OUTPUT_MS) throw error;
        this.directory.forget(viewerConnectionId);
      }
      await delay(REPEAT_PAUSE_MS);
    }
  }

  async unread(viewerConnectionId: string, deviceId: string, output: TerminalOutputDto): Promise<void> {
    const nodeId = await this.directory.find(viewerConnectionId);
    if (nodeId === undefined) return;
    const user = await this.tenantOf(deviceId);
    await this.line.calls.call(nodeId, 'Unread', [viewerConnectionId, deviceId, carriedOutput(output)], WITHIN_MS, { user });
  }

  async chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome> {
    const nodeId = await this.directory.find(viewerConnectionId);
    if (nodeId === undefined) return 'nobody';
    const user = await this.tenantOf(deviceId);
    return this.line.calls.call(nodeId, 'Chat', [viewerConnectionId, deviceId, carriedChat(response)], WITHIN_MS, { user });
  }

  /** The tenant of a device; the device itself while its tenant cannot be read. */
  private async tenantOf(deviceId: string): Promise<string> {
    const known = this.tenants.get(deviceId);
    if (known !== undefined) return known;
    const device = await this.authorization.device(deviceId).catch(() => null);
    if (device === null) return deviceId;
    this.tenants.set(deviceId, device.tenantId);
    return device.tenantId;
  }

  private notRemoved(connectionId: string, error: unknown): void {
    this.logger.warn({ message: 'The place of a viewer that has left could not be removed.', connectionId, reason: messageOf(error) });
  }
}

/** True for a call that was not done, or may not have been. */
function isRepeatable(error: unknown): boolean {
  return [NodeUnreachable, OutcomeUnknown, TooManyNodeCalls, NotDone].some((kind) => error instanceof kind);
}
