import { ChatMessageHubDto } from './dtos/chat.js';
import {
  CreateDirectoryHubDto,
  DirectoryContentsStreamRequestHubDto,
  FileArchiveDownloadHubDto,
  FileDeleteHubDto,
  FileDownloadHubDto,
  FileDownloadResponseHubDto,
  FileUploadHubDto,
  GetPathSegmentsHubDto,
  GetRootDrivesRequestDto,
  GetRootDrivesResponseDto,
  PathSegmentsResponseDto,
  SubdirectoriesStreamRequestHubDto,
  ValidateFilePathHubDto,
  ValidateFilePathResponseDto,
} from './dtos/files.js';
import { GetLogFilesResponseDto, StreamFileContentsRequestHubDto } from './dtos/logs.js';
import { WakeDeviceDto } from './dtos/power.js';
import {
  DesktopPreviewRequestDto,
  DesktopSession,
  InvokeCtrlAltDelRequestDto,
  RemoteControlSessionRequestDto,
  VncSessionRequestDto,
} from './dtos/remote-control.js';
import { PwshCompletionsRequestDto, PwshCompletionsResponseDto, TerminalInputDto } from './dtos/terminal.js';
import { DtoWrapper } from './dtos/wrapper.js';
import { PowerStateChangeType } from './enums.js';
import { hub } from './hub-method.js';
import { HubResult, hubResultOf } from './hub-result.js';
import { arrayOf } from './wire/composites.js';
import { MAX_IDENTIFIER_LENGTH, MAX_TEXT_LENGTH } from './wire/limits.js';
import { guid, int32, text } from './wire/primitives.js';

/** What the server may call on an agent: the thirty methods of the specification, and ReceiveDto, which every agent registers. */
export const agentClient = hub({
  CloseChatSession: { parameters: [guid, int32], returns: HubResult },
  CloseTerminalSession: { parameters: [guid] },
  CreateDirectory: { parameters: [CreateDirectoryHubDto], returns: HubResult },
  CreateRemoteControlSession: { parameters: [RemoteControlSessionRequestDto], returns: HubResult },
  CreateTerminalSession: { parameters: [guid, text(MAX_IDENTIFIER_LENGTH)], returns: HubResult },
  CreateVncSession: { parameters: [VncSessionRequestDto], returns: HubResult },
  DeleteFile: { parameters: [FileDeleteHubDto], returns: HubResult },
  DownloadFileFromViewer: { parameters: [FileUploadHubDto], returns: HubResult },
  GetActiveDesktopSessions: { parameters: [], returns: arrayOf(DesktopSession) },
  GetLogFiles: { parameters: [], returns: hubResultOf(GetLogFilesResponseDto) },
  GetPathSegments: { parameters: [GetPathSegmentsHubDto], returns: PathSegmentsResponseDto },
  GetPwshCompletions: { parameters: [PwshCompletionsRequestDto], returns: hubResultOf(PwshCompletionsResponseDto) },
  GetRootDrives: { parameters: [GetRootDrivesRequestDto], returns: hubResultOf(GetRootDrivesResponseDto) },
  InvokeCtrlAltDel: { parameters: [InvokeCtrlAltDelRequestDto], returns: HubResult },
  InvokeWakeDevice: { parameters: [WakeDeviceDto] },
  ReceiveAgentUpdateTrigger: { parameters: [] },
  ReceivePowerStateChange: { parameters: [PowerStateChangeType] },
  ReceiveTerminalInput: { parameters: [TerminalInputDto], returns: HubResult },
  RefreshDeviceInfo: { parameters: [] },
  RequestDesktopPreview: { parameters: [DesktopPreviewRequestDto], returns: HubResult },
  RequestRemoteControlPermission: { parameters: [int32], returns: HubResult },
  SendChatMessage: { parameters: [ChatMessageHubDto], returns: HubResult },
  StreamDirectoryContents: { parameters: [DirectoryContentsStreamRequestHubDto], returns: HubResult },
  StreamFileContents: { parameters: [StreamFileContentsRequestHubDto], returns: HubResult },
  StreamSubdirectories: { parameters: [SubdirectoriesStreamRequestHubDto], returns: HubResult },
  TestVncConnection: { parameters: [int32], returns: HubResult },
  UninstallAgent: { parameters: [text(MAX_TEXT_LENGTH)] },
  UploadArchiveToViewer: { parameters: [FileArchiveDownloadHubDto], returns: hubResultOf(FileDownloadResponseHubDto) },
  UploadFileToViewer: { parameters: [FileDownloadHubDto], returns: hubResultOf(FileDownloadResponseHubDto) },
  ValidateFilePath: { parameters: [ValidateFilePathHubDto], returns: ValidateFilePathResponseDto },
  ReceiveDto: { parameters: [DtoWrapper] },
});
