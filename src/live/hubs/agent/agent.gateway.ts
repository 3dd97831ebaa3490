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
  type InventoryReportDto,
  type SignedDto,
  type TerminalOutputDto,
} from '#libs/contracts';
import { HubError, type HubConnection, type Invocation } from '#libs/signalr';
import { Argument, HubMethod, hubParameter } from '#libs/signalr/nest';

import { AgentFeatures } from '../../../devices/device-link/agent-features.js';
import { DeviceStreams } from '../../../devices/device-link/device-streams.js';
import { AcceptedUpdates } from '../../../devices/devices/updates/accepted-updates.js';
import { DeviceUpdatesService } from '../../../devices/devices/updates/device-updates.service.js';
import { UpdateRefusal } from '../../../devices/devices/updates/update-acceptance.js';
import type { UpdateOutcome } from '../../../devices/devices/updates/update-decision.js';
import { InventoryReports } from '../../../devices/inventory/reports/inventory-reports.js';
import { AGENT_HUB_PATH } from '../../../platform/common/addresses/hub-paths.js';
import { AgentMessages } from './agent-messages.js';
import { Agent, ConnectedAgent } from './connected-agent.js';

const UNINSTALL_REASON = 'The server is decommissioned.';
const UNKNOWN_STREAM = 'Nobody waits for this stream.';

/** The call itself. */
const Call = (): ParameterDecorator => hubParameter((invocation) => invocation);

/** The methods that agents call. The connection is anonymous: each update proves the device by its signature (docs/hubs.md). */
@WebSocketGateway({ path: AGENT_HUB_PATH })
export class AgentGateway {
  private readonly logger = new Logger('AgentHub');

  constructor(
    private readonly updates: DeviceUpdatesService,
    private readonly accepted: AcceptedUpdates,
    private readonly streams: DeviceStreams,
    private readonly messages: AgentMessages,
    private readonly features: AgentFeatures,
    private readonly inventories: InventoryReports,
  ) {}

  async onDisconnected(connection: HubConnection, reason: string): Promise<void> {
    this.streams.connectionEnded(connection.connectionId);
    this.features.ended(connection.connectionId);
    const agent = ConnectedAgent.of(connection);
    if (agent.session !== undefined) {
      this.logger.debug({ message: 'An agent disconnected.', deviceId: agent.session.deviceId, connectionId: agent.connectionId, reason });
    }
    await this.accepted.disconnected(agent);
  }

  @HubMethod(agentHub.UpdateDevice)
  async updateDevice(@Agent() agent: ConnectedAgent, @Argument(0) dto: DeviceUpdateRequestDto): Promise<HubResultOf<DeviceResponseDto>> {
    return answer(agent, await this.updates.acceptUnsigned(agent, dto));
  }

  @HubMethod(agentHub.UpdateDeviceSigned)
  async updateDeviceSigned(
    @Agent() agent: ConnectedAgent,
    @Argument(0) signed: SignedDto<DeviceUpdateRequestDto>,
  ): Promise<HubResultOf<DeviceResponseDto>> {
    return answer(agent, await this.updates.acceptSigned(agent, signed));
  }

  @HubMethod(agentHub.OfferFeatures)
  offerFeatures(@Agent() agent: ConnectedAgent, @Argument(0) features: string[]): void {
    // Nothing would forget what comes after the end.
    if (agent.isOpen) this.features.offer(agent.connectionId, features);
  }

  @HubMethod(agentHub.ReportInventory)
  reportInventory(
    @Agent() agent: ConnectedAgent,
    @Argument(0) report: InventoryReportDto,
    @Call() call: Invocation,
  ): Promise<HubResultOf<boolean>> {
    // Half a megabyte may take its time in the database. Reports of the device's state do not wait for it.
    return agent.besideOthers(call, () => this.inventories.take(agent, report));
  }

  @HubMethod(agentHub.SendChatResponse)
  sendChatResponse(@Agent() agent: ConnectedAgent, @Argument(0) response: ChatResponseHubDto, @Call() call: Invocation): Promise<boolean> {
    // It waits for the viewer's answer, which may take long.
    return agent.besideOthers(call, () => this.messages.chatResponse(agent, response));
  }

  @HubMethod(agentHub.SendTerminalOutputToViewer)
  sendTerminalOutputToViewer(
    @Agent() agent: ConnectedAgent,
    @Argument(0) viewerConnectionId: string,
    @Argument(1) output: TerminalOutputDto,
    @Call() call: Invocation,
  ): Promise<void> {
    // It may wait for a slow viewer. Until then, the reports of the agent and the terminals of other viewers go on. The characters that
    // wait are bounded.
    call.yieldTurn();
    return this.messages.terminalOutput(agent, viewerConnectionId, output);
  }

  @HubMethod(agentHub.GetFileStreamFromViewer)
  getFileStreamFromViewer(@Agent() agent: ConnectedAgent, @Argument(0) request: FileUploadHubDto): AsyncIterable<Uint8Array> {
    const bytes = this.streams.fetch(request.streamId, agent.connectionId);
    if (bytes === undefined) throw new HubError(UNKNOWN_STREAM);
    return bytes;
  }

  @HubMethod(agentHub.SendDesktopPreviewStream)
  async sendDesktopPreviewStream(
    @Agent() agent: ConnectedAgent,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('bytes', streamId, agent.connectionId, { items, directoryExists: true }));
  }

  @HubMethod(agentHub.SendDirectoryContentsStream)
  async sendDirectoryContentsStream(
    @Agent() agent: ConnectedAgent,
    @Argument(0) streamId: string,
    @Argument(1) directoryExists: boolean,
    @Argument(2) items: AsyncIterable<FileSystemEntryDto[]>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('entries', streamId, agent.connectionId, { items, directoryExists }));
  }

  @HubMethod(agentHub.SendFileContentStream)
  async sendFileContentStream(
    @Agent() agent: ConnectedAgent,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<Uint8Array>,
  ): Promise<HubResult> {
    const isWanted = await this.streams.deliver('bytes', streamId, agent.connectionId, { items, directoryExists: true });
    return isWanted ? hubOk() : hubFailure(UNKNOWN_STREAM);
  }

  @HubMethod(agentHub.SendSubdirectoriesStream)
  async sendSubdirectoriesStream(
    @Agent() agent: ConnectedAgent,
    @Argument(0) streamId: string,
    @Argument(1) items: AsyncIterable<FileSystemEntryDto[]>,
  ): Promise<void> {
    requireWanted(await this.streams.deliver('entries', streamId, agent.connectionId, { items, directoryExists: true }));
  }
}

/** Fails the call of an agent that opened a stream that no reader waits for. */
function requireWanted(isWanted: boolean): void {
  if (!isWanted) throw new HubError(UNKNOWN_STREAM);
}

/**
 * The answer to an update. With an accepted one the connection stands for a device. One that could not be stored is asked for again. A
 * decommissioned server also tells the agent to uninstall itself.
 */
function answer(agent: ConnectedAgent, { result, uninstall }: UpdateOutcome): HubResultOf<DeviceResponseDto> {
  if (result.isSuccess) {
    agent.connection.vouch();
    agent.reportStored();
  } else if (result.reason === UpdateRefusal.Failed) agent.reportFailed();
  if (uninstall) agent.connection.send(agentClient.UninstallAgent, [UNINSTALL_REASON]);
  return result;
}
