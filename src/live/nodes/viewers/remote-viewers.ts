import { setTimeout as delay } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { ChatResponseHubDto, TerminalOutputDto } from '#libs/contracts';

import type { ChatOutcome } from '../../hubs/viewer/chat/chat-outcome.js';
import type { OtherViewers } from '../../hubs/viewer/other-viewers.js';
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

/** The viewers of other nodes, and the places of those of this node. */
@Injectable()
export class RemoteViewers implements OtherViewers {
  private readonly logger = new Logger('Nodes');
  private readonly noted = new Map<string, Promise<void>>();
  /** Outputs that this node knows of are repeated by others. */
  readonly repeated = new RepeatedOutputs();
  private lastNumber = 0;

  constructor(
    private readonly directory: ViewerDirectory,
    private readonly line: ServiceLine,
    private readonly node: ServerNode,
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
    let failingSince: number | null = null;
    for (;;) {
      const nodeId = await throughOutage(
        () => this.directory.find(viewerConnectionId),
        () => true,
      );
      if (nodeId === undefined) return false;
      try {
        const args: [string, string, string, number, unknown] = [viewerConnectionId, deviceId, this.node.id, number, carried];
        return await this.line.calls.call(nodeId, 'Output', args, OUTPUT_WITHIN_MS, 'output');
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
    if (nodeId !== undefined)
      await this.line.calls.call(nodeId, 'Unread', [viewerConnectionId, deviceId, carriedOutput(output)], WITHIN_MS);
  }

  async chat(viewerConnectionId: string, deviceId: string, response: ChatResponseHubDto): Promise<ChatOutcome> {
    const nodeId = await this.directory.find(viewerConnectionId);
    if (nodeId === undefined) return 'nobody';
    return this.line.calls.call(nodeId, 'Chat', [viewerConnectionId, deviceId, carriedChat(response)], WITHIN_MS);
  }

  private notRemoved(connectionId: string, error: unknown): void {
    this.logger.warn({ message: 'The place of a viewer that has left could not be removed.', connectionId, reason: messageOf(error) });
  }
}

/** True for a call that was not done, or may not have been. */
function isRepeatable(error: unknown): boolean {
  return [NodeUnreachable, OutcomeUnknown, TooManyNodeCalls, NotDone].some((kind) => error instanceof kind);
}
