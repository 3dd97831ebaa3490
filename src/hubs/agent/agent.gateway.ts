import { Logger } from '@nestjs/common';
import { WebSocketGateway } from '@nestjs/websockets';

import {
  agentClient,
  agentHub,
  hubFailure,
  hubOk,
  type ChatResponseHubDto,
  type DeviceResponseDto,
  type DeviceUpdateRequestDto,
  type FileSystemEntryDto,
  type FileUploadHubDto,
  type HubResult,
  type HubResultOf,
  type SignedDto,
  type TerminalOutputDto,
} from '#libs/contracts';
import { Argument, Caller, HubError, HubMethod, type HubConnection } from '#libs/signalr';

import { AGENT_HUB_PATH } from '../../common/hub-paths.js';
import { DeviceStreams } from '../../device-link/device-streams.js';
import { DeviceUpdatesService } from '../../devices/updates/device-updates.service.js';
import type { UpdateOutcome } from '../../devices/updates/update-decision.js';
import { ViewerMessages } from '../viewer/viewer-messages.js';
import { ConnectedAgent } from './connected-agent.js';

const UNINSTALL_REASON = 'The server is decommissioned.';
const UNKNOWN_STREAM = 'Nobody waits for this stream.';

/** What agents call (specification, part Agent hub). The connection is anonymous: each update proves the device by its signature. */
@WebSocketGateway({ path: AGENT_HUB_PATH })
export class AgentGateway {
  private readonly logger = new Logger('AgentHub');

  constructor(
    private readonly updates: DeviceUpdatesService,
    private readonly streams: DeviceStreams,
    private readonly viewers: ViewerMessages,
  ) {}

  async onDisconnected(connection: HubConnection, reason: string): Promise<void> {
    this.streams.connectionEnded(connection.connectionId);
    const agent = ConnectedAgent.of(connection);
    if (agent.session !== undefined) {
      this.logger.debug({ message: 'An agent disconnected.', deviceId: agent.session.deviceId, connectionId: agent.connectionId, reason });
    }
    await this.updates.disconnected(agent);
  }

  @HubMethod(agentHub.UpdateDevice)
  async updateDevice(
    @Caller() connection: HubConnection,
    @Argument(0) dto: DeviceUpdateRequestDto,
  ): Promise<HubResultOf<DeviceResponseDto>> {
    return answer(connection, await this.updates.acceptUnsigned(ConnectedAgent.of(connection), dto));
  }

  @HubMethod(agentHub.UpdateDeviceSigned)
  async updateDeviceSigned(
    @Caller() connection: HubConnection,
    @Argument(0) signed: SignedDto<DeviceUpdateRequestDto>,
  ): Promise<HubResultOf<DeviceResponseDto>> {
    return answer(connection, await this.updates.acceptSigned(ConnectedAgent.of(connection), signed));
  }

  @HubMethod(agentHub.SendChatResponse)
  sendChatResponse(@Caller() connection: HubConnection, @Argument(0) response: ChatResponseHubDto): Promise<boolean> {
    return this.viewers.chatResponse(ConnectedAgent.of(connection), response);
  }

  @HubMethod(agentHub.SendTerminalOutputToViewer)
  sendTerminalOutputToViewer(
    @Caller() connection: HubConnection,
    @Argument(0) viewerConnectionId: string,
    @Argument(1) output: TerminalOutputDto,
  ): Promise<void> {
    return this.viewers.terminalOutput(ConnectedAgent.of(connection), viewerConnectionId, output);
  }

  @HubMethod(agentHub.GetFileStreamFromViewer)
  getFileStreamFromViewer(@Caller() connection: HubConnection, @Argument(0) request: FileUploadHubDto): AsyncIterable<Uint8Array> {
    const bytes = this.streams.fetch(request.streamId, connection.connectionId);
    if (bytes === undefined) throw new HubError(UNKNOWN_STREAM);
    return bytes;
  }

  @HubMethod(agentHub.SendDesktopPreviewStream)
  async sendDesktopPreviewStream(
    @Caller() connection: HubConnection,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('bytes', streamId, connection.connectionId, { items, directoryExists: true }));
  }

  @HubMethod(agentHub.SendDirectoryContentsStream)
  async sendDirectoryContentsStream(
    @Caller() connection: HubConnection,
    @Argument(0) streamId: string,
    @Argument(1) directoryExists: boolean,
    @Argument(2) items: AsyncIterable<FileSystemEntryDto[]>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('entries', streamId, connection.connectionId, { items, directoryExists }));
  }

  @HubMethod(agentHub.SendFileContentStream)
  async sendFileContentStream(
    @Caller() connection: HubConnection,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<Uint8Array>,
  ): Promise<HubResult> {
    const isWanted = await this.streams.deliver('bytes', streamId, connection.connectionId, { items, directoryExists: true });
    return isWanted ? hubOk() : hubFailure(UNKNOWN_STREAM);
  }

  @HubMethod(agentHub.SendSubdirectoriesStream)
  async sendSubdirectoriesStream(
    @Caller() connection: HubConnection,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<FileSystemEntryDto[]>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('entries', streamId, connection.connectionId, { items, directoryExists: true }));
  }
}

/** Fails the call of an agent that opened a stream nobody waits for. */
function requireWanted(isWanted: boolean): void {
  if (!isWanted) throw new HubError(UNKNOWN_STREAM);
}

function answer(connection: HubConnection, { result, uninstall }: UpdateOutcome): HubResultOf<DeviceResponseDto> {
  if (uninstall) connection.send(agentClient.UninstallAgent, [UNINSTALL_REASON]);
  return result;
}
