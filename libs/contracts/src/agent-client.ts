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
  RenameFileHubDto,
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

/** The methods that the server calls on an agent. */
export const agentClient = hub({
  CloseChatSession: {
    description: 'Ends a chat and closes its window.',
    parameters: [guid, int32],
    parameterNames: ['sessionId', 'targetProcessId'],
    returns: HubResult,
  },
  CloseTerminalSession: {
    description: 'Closes a terminal and ends its programs. Ignores a terminal that does not exist.',
    parameters: [guid],
    parameterNames: ['terminalId'],
  },
  CreateDirectory: {
    description: 'Creates a directory.',
    parameters: [CreateDirectoryHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  CreateRemoteControlSession: {
    description: 'Starts a remote control session: the agent asks for consent if required, then connects to the relay.',
    parameters: [RemoteControlSessionRequestDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  CreateTerminalSession: {
    description: 'Opens a terminal whose output goes to the viewer. The viewer takes over a terminal that is open.',
    parameters: [guid, text(MAX_IDENTIFIER_LENGTH)],
    parameterNames: ['terminalId', 'viewerConnectionId'],
    returns: HubResult,
  },
  CreateVncSession: {
    description: 'Connects the VNC server on a port of the device with the relay. Answers once both are connected.',
    parameters: [VncSessionRequestDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  DeleteFile: {
    description: 'Deletes a file, or a directory with its contents.',
    parameters: [FileDeleteHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  DownloadFileFromViewer: {
    description: 'Makes the agent fetch a file with `GetFileStreamFromViewer` and write it. Answers after the last byte is written.',
    parameters: [FileUploadHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  GetActiveDesktopSessions: {
    description: 'Lists the desktops of the device. The answer is a bare list.',
    parameters: [],
    parameterNames: [],
    returns: arrayOf(DesktopSession),
  },
  GetLogFiles: {
    description: 'Lists the log files that the agent can send.',
    parameters: [],
    parameterNames: [],
    returns: hubResultOf(GetLogFilesResponseDto),
  },
  GetPathSegments: {
    description: 'Splits a path into its parts. The answer is a bare object.',
    parameters: [GetPathSegmentsHubDto],
    parameterNames: ['request'],
    returns: PathSegmentsResponseDto,
  },
  GetPwshCompletions: {
    description: 'Completes the command line in a terminal.',
    parameters: [PwshCompletionsRequestDto],
    parameterNames: ['request'],
    returns: hubResultOf(PwshCompletionsResponseDto),
  },
  GetRootDrives: {
    description: 'Lists the roots of the file system.',
    parameters: [GetRootDrivesRequestDto],
    parameterNames: ['request'],
    returns: hubResultOf(GetRootDrivesResponseDto),
  },
  InvokeCtrlAltDel: {
    description: 'Presses Ctrl+Alt+Del on a desktop.',
    parameters: [InvokeCtrlAltDelRequestDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  InvokeWakeDevice: {
    description: 'Sends a magic packet for each network card into the local network.',
    parameters: [WakeDeviceDto],
    parameterNames: ['request'],
  },
  ReceiveAgentUpdateTrigger: {
    description: 'Makes the agent look for an update of itself now.',
    parameters: [],
    parameterNames: [],
  },
  ReceivePowerStateChange: {
    description: 'Restarts or shuts down the device.',
    parameters: [PowerStateChangeType],
    parameterNames: ['changeType'],
  },
  ReceiveTerminalInput: {
    description:
      'Sends input to a terminal, and opens the terminal if it is not open. Answers once the input is accepted, before the command ends.',
    parameters: [TerminalInputDto],
    parameterNames: ['input'],
    returns: HubResult,
  },
  RefreshDeviceInfo: {
    description: 'Makes the agent report now, with `UpdateDeviceSigned`.',
    parameters: [],
    parameterNames: [],
  },
  RenameFile: {
    description:
      'Renames a file or directory in its directory. Never replaces another one. The server calls it only on agents that ' +
      'offered it with `OfferFeatures`.',
    parameters: [RenameFileHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  RequestDesktopPreview: {
    description: 'Makes the agent take a picture of a desktop and send it with `SendDesktopPreviewStream`, as JPEG.',
    parameters: [DesktopPreviewRequestDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  RequestRemoteControlPermission: {
    description: 'Asks the person at the device to let the agent see and control the desktop.',
    parameters: [int32],
    parameterNames: ['targetProcessId'],
    returns: HubResult,
  },
  SendChatMessage: {
    description: 'Shows a message to the person at the device. The agent sends the answers with `SendChatResponse`.',
    parameters: [ChatMessageHubDto],
    parameterNames: ['message'],
    returns: HubResult,
  },
  StreamDirectoryContents: {
    description:
      'Makes the agent send the entries of a directory with `SendDirectoryContentsStream`. The answer may come before the stream or after it.',
    parameters: [DirectoryContentsStreamRequestHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  StreamFileContents: {
    description: 'Makes the agent send a log file with `SendFileContentStream`. Answers at once.',
    parameters: [StreamFileContentsRequestHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  StreamSubdirectories: {
    description:
      'Makes the agent send the directories in a directory with `SendSubdirectoriesStream`. The answer may come before the stream or after it.',
    parameters: [SubdirectoriesStreamRequestHubDto],
    parameterNames: ['request'],
    returns: HubResult,
  },
  TestVncConnection: {
    description: 'Checks that a VNC server listens on a port of the device.',
    parameters: [int32],
    parameterNames: ['port'],
    returns: HubResult,
  },
  UninstallAgent: {
    description: 'Makes the agent uninstall itself.',
    parameters: [text(MAX_TEXT_LENGTH)],
    parameterNames: ['reason'],
  },
  UploadArchiveToViewer: {
    description:
      'Makes the agent send files and directories as one ZIP archive, with `SendFileContentStream`. Answers once the archive is complete.',
    parameters: [FileArchiveDownloadHubDto],
    parameterNames: ['request'],
    returns: hubResultOf(FileDownloadResponseHubDto),
  },
  UploadFileToViewer: {
    description: 'Makes the agent send a file, or a directory as a ZIP archive, with `SendFileContentStream`. Answers before it sends.',
    parameters: [FileDownloadHubDto],
    parameterNames: ['request'],
    returns: hubResultOf(FileDownloadResponseHubDto),
  },
  ValidateFilePath: {
    description: 'Checks that a file of that name can be written. The answer is a bare object.',
    parameters: [ValidateFilePathHubDto],
    parameterNames: ['request'],
    returns: ValidateFilePathResponseDto,
  },
  RequestInventory: {
    description:
      'Makes the agent read its inventory again and report it with `ReportInventory`. Answers when the server has taken the report. The server calls it only on agents that offer it.',
    parameters: [],
    parameterNames: [],
    returns: HubResult,
  },
  ReceiveDto: {
    description: 'Receives a message that a viewer sent with `SendDtoToAgent`.',
    parameters: [DtoWrapper],
    parameterNames: ['wrapper'],
  },
});
