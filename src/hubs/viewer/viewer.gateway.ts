import { WebSocketGateway } from '@nestjs/websockets';

import {
  viewerHub,
  type ActiveDesktopSessionsResponseDto,
  type CloseTerminalSessionRequestDto,
  type CreateTerminalSessionRequestDto,
  type DesktopSession,
  type DeviceAccessPermissionsDto,
  type FileUploadMetadata,
  type GetActiveDesktopSessionsRequestDto,
  type GetDeviceAccessPermissionsRequestDto,
  type HubResult,
  type HubResultOf,
  type PwshCompletionsRequestDto,
  type PwshCompletionsResponseDto,
  type RefreshDeviceInfoRequestDto,
  type SendTerminalInputRequestDto,
  type SubscribeToDeviceHeartbeatsRequestDto,
  type TerminalInputDto,
  type UnsubscribeFromDeviceHeartbeatsRequestDto,
} from '#libs/contracts';
import { Argument, Caller, HubMethod, InvocationAbort, type HubConnection } from '#libs/signalr';

import type { Principal } from '../../authentication/principal.js';
import { VIEWER_HUB_PATH } from '../../common/hub-paths.js';
import { UserPresence } from '../../users/user-presence.js';
import { ConnectedViewer } from './connected-viewer.js';
import { DeviceAccess } from './device-access.js';
import { FileUpload } from './file-upload.js';
import { HeartbeatSubscriptions } from './heartbeat-subscriptions.js';
import { ServerStatsFeed } from './server-stats-feed.js';
import { Terminals } from './terminals.js';

type Viewer = HubConnection<Principal>;

/** What viewers call (specification, part Viewer hub): the current `*2` forms, and the obsolete positional forms beside them. */
@WebSocketGateway({ path: VIEWER_HUB_PATH })
export class ViewerGateway {
  constructor(
    private readonly terminals: Terminals,
    private readonly devices: DeviceAccess,
    private readonly heartbeats: HeartbeatSubscriptions,
    private readonly uploads: FileUpload,
    private readonly presence: UserPresence,
    private readonly stats: ServerStatsFeed,
  ) {}

  onConnected(connection: Viewer): void {
    if (connection.user.type === 'User') this.presence.arrived(connection.user.id);
    this.stats.arrived(ConnectedViewer.of(connection));
  }

  onDisconnected(connection: Viewer): void {
    if (connection.user.type === 'User') this.presence.left(connection.user.id);
    this.heartbeats.forgetViewer(ConnectedViewer.of(connection));
    this.stats.left(ConnectedViewer.of(connection));
  }

  @HubMethod(viewerHub.CreateTerminalSession2)
  createTerminalSession2(@Caller() viewer: Viewer, @Argument(0) request: CreateTerminalSessionRequestDto): Promise<HubResult> {
    return this.terminals.create(ConnectedViewer.of(viewer), request);
  }

  @HubMethod(viewerHub.CreateTerminalSession)
  createTerminalSession(@Caller() viewer: Viewer, @Argument(0) deviceId: string, @Argument(1) terminalId: string): Promise<HubResult> {
    return this.createTerminalSession2(viewer, { deviceId, terminalId });
  }

  @HubMethod(viewerHub.CloseTerminalSession2)
  closeTerminalSession2(@Caller() viewer: Viewer, @Argument(0) request: CloseTerminalSessionRequestDto): Promise<HubResult> {
    return this.terminals.close(ConnectedViewer.of(viewer), request);
  }

  @HubMethod(viewerHub.CloseTerminalSession)
  async closeTerminalSession(@Caller() viewer: Viewer, @Argument(0) deviceId: string, @Argument(1) terminalId: string): Promise<void> {
    await this.closeTerminalSession2(viewer, { deviceId, terminalId });
  }

  @HubMethod(viewerHub.SendTerminalInput2)
  sendTerminalInput2(@Caller() viewer: Viewer, @Argument(0) request: SendTerminalInputRequestDto): Promise<HubResult> {
    return this.terminals.input(ConnectedViewer.of(viewer), request);
  }

  @HubMethod(viewerHub.SendTerminalInput)
  sendTerminalInput(@Caller() viewer: Viewer, @Argument(0) deviceId: string, @Argument(1) input: TerminalInputDto): Promise<HubResult> {
    return this.sendTerminalInput2(viewer, { deviceId, input });
  }

  @HubMethod(viewerHub.GetPwshCompletions)
  getPwshCompletions(
    @Caller() viewer: Viewer,
    @Argument(0) request: PwshCompletionsRequestDto,
  ): Promise<HubResultOf<PwshCompletionsResponseDto>> {
    return this.terminals.completions(ConnectedViewer.of(viewer), request);
  }

  @HubMethod(viewerHub.GetActiveDesktopSessions2)
  getActiveDesktopSessions2(
    @Caller() viewer: Viewer,
    @Argument(0) request: GetActiveDesktopSessionsRequestDto,
  ): Promise<HubResultOf<ActiveDesktopSessionsResponseDto>> {
    return this.devices.desktopSessions(ConnectedViewer.of(viewer), request.deviceId);
  }

  @HubMethod(viewerHub.GetActiveDesktopSessions)
  async getActiveDesktopSessions(@Caller() viewer: Viewer, @Argument(0) deviceId: string): Promise<DesktopSession[]> {
    const { value } = await this.getActiveDesktopSessions2(viewer, { deviceId });
    return value?.sessions ?? [];
  }

  @HubMethod(viewerHub.GetDeviceAccessPermissions2)
  getDeviceAccessPermissions2(
    @Caller() viewer: Viewer,
    @Argument(0) request: GetDeviceAccessPermissionsRequestDto,
  ): Promise<HubResultOf<DeviceAccessPermissionsDto>> {
    return this.devices.permissions(ConnectedViewer.of(viewer), request.deviceId);
  }

  @HubMethod(viewerHub.GetDeviceAccessPermissions)
  getDeviceAccessPermissions(@Caller() viewer: Viewer, @Argument(0) deviceId: string): Promise<HubResultOf<DeviceAccessPermissionsDto>> {
    return this.getDeviceAccessPermissions2(viewer, { deviceId });
  }

  @HubMethod(viewerHub.RefreshDeviceInfo2)
  refreshDeviceInfo2(@Caller() viewer: Viewer, @Argument(0) request: RefreshDeviceInfoRequestDto): Promise<HubResult> {
    return this.devices.refresh(ConnectedViewer.of(viewer), request.deviceId);
  }

  @HubMethod(viewerHub.RefreshDeviceInfo)
  async refreshDeviceInfo(@Caller() viewer: Viewer, @Argument(0) deviceId: string): Promise<void> {
    await this.refreshDeviceInfo2(viewer, { deviceId });
  }

  @HubMethod(viewerHub.SubscribeToDeviceHeartbeats2)
  subscribeToDeviceHeartbeats2(@Caller() viewer: Viewer, @Argument(0) request: SubscribeToDeviceHeartbeatsRequestDto): Promise<HubResult> {
    return this.heartbeats.subscribe(ConnectedViewer.of(viewer), request.deviceIds);
  }

  @HubMethod(viewerHub.SubscribeToDeviceHeartbeats)
  subscribeToDeviceHeartbeats(@Caller() viewer: Viewer, @Argument(0) deviceIds: string[]): Promise<HubResult> {
    return this.subscribeToDeviceHeartbeats2(viewer, { deviceIds });
  }

  @HubMethod(viewerHub.UnsubscribeFromDeviceHeartbeats2)
  unsubscribeFromDeviceHeartbeats2(
    @Caller() viewer: Viewer,
    @Argument(0) request: UnsubscribeFromDeviceHeartbeatsRequestDto,
  ): Promise<HubResult> {
    return this.heartbeats.unsubscribe(ConnectedViewer.of(viewer), request.deviceIds);
  }

  @HubMethod(viewerHub.UnsubscribeFromDeviceHeartbeats)
  async unsubscribeFromDeviceHeartbeats(@Caller() viewer: Viewer, @Argument(0) deviceIds: string[]): Promise<void> {
    await this.unsubscribeFromDeviceHeartbeats2(viewer, { deviceIds });
  }

  @HubMethod(viewerHub.UploadFile)
  uploadFile(
    @Caller() viewer: Viewer,
    @Argument(0) metadata: FileUploadMetadata,
    @Argument(1) bytes: AsyncIterable<Uint8Array>,
    @InvocationAbort() canceled: AbortSignal,
  ): Promise<HubResult> {
    return this.uploads.upload(ConnectedViewer.of(viewer), metadata, bytes, canceled);
  }
}
