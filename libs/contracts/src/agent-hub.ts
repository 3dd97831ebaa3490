import { ChatResponseHubDto } from './dtos/chat.js';
import { DeviceResponseDto, DeviceUpdateRequestDto } from './dtos/devices.js';
import { FileSystemEntryDto, FileUploadHubDto } from './dtos/files.js';
import { InventoryReportDto } from './dtos/inventory.js';
import { TerminalOutputDto } from './dtos/terminal.js';
import { hub } from './hub-method.js';
import { HubResult, hubResultOf } from './hub-result.js';
import { signedDtoOf } from './signed-dto.js';
import { arrayOf } from './wire/composites.js';
import { MAX_FEATURES, MAX_IDENTIFIER_LENGTH } from './wire/limits.js';
import { binary, bool, guid, text } from './wire/primitives.js';

/** The methods that an agent calls on the server, at /hubs/agent. */
export const agentHub = hub({
  UpdateDevice: {
    description:
      'Obsolete form of `UpdateDeviceSigned` without a signature. It fails for a device with a stored key (`Device requires signed updates.`).',
    parameters: [DeviceUpdateRequestDto],
    parameterNames: ['request'],
    returns: hubResultOf(DeviceResponseDto),
  },
  UpdateDeviceSigned: {
    description:
      'Reports the state of the device. With the first accepted report the device is online, and calls to it use this connection until a report of another connection is accepted. See [Signing of updates](#signing-of-updates).',
    parameters: [signedDtoOf(DeviceUpdateRequestDto)],
    parameterNames: ['request'],
    returns: hubResultOf(DeviceResponseDto),
  },
  OfferFeatures: {
    description:
      'Names the optional methods that this agent serves on this connection. The server calls no optional method on agents that do not ' +
      'name it. It ignores unknown names.',
    parameters: [arrayOf(text(MAX_IDENTIFIER_LENGTH), MAX_FEATURES)],
    parameterNames: ['features'],
  },
  ReportInventory: {
    description:
      'Reports the hardware and the installed programs of the device. The agent first sends only the hash; if the value is true, it sends the inventory. The method is optional. If the server does not know it, the agent does not call it again on that connection.',
    parameters: [InventoryReportDto],
    parameterNames: ['report'],
    returns: hubResultOf(bool),
  },
  SendChatResponse: {
    description:
      'Sends the answer of the person at the device to the viewer. Answers true when the viewer took it. If the viewer is gone or has ended the chat, the server makes the agent close it.',
    parameters: [ChatResponseHubDto],
    parameterNames: ['response'],
    returns: bool,
  },
  SendTerminalOutputToViewer: {
    description:
      'Sends output of a terminal to the viewer that opened it. The server drops the output if the connection has no accepted report, or if the viewer is gone, has closed the terminal or has lost the permission. It closes a terminal whose output it has dropped for a minute. Answers when the viewer has room for more: an agent that waits for the answer pauses only this terminal. The server closes a terminal with 1 MiB of waiting output.',
    parameters: [text(MAX_IDENTIFIER_LENGTH), TerminalOutputDto],
    parameterNames: ['viewerConnectionId', 'output'],
  },
  GetFileStreamFromViewer: {
    description:
      'Fetches the bytes of a file that `DownloadFileFromViewer` announced. Only the agent that got the announcement can fetch them, once. An error that contains `canceled by client` means that the viewer canceled the upload.',
    parameters: [FileUploadHubDto],
    parameterNames: ['request'],
    returns: { stream: binary() },
  },
  SendDesktopPreviewStream: {
    description: 'Sends the picture that `RequestDesktopPreview` asked for, as JPEG in pieces.',
    parameters: [guid, { stream: binary() }],
    parameterNames: ['streamId', 'pieces'],
  },
  SendDirectoryContentsStream: {
    description: 'Sends the entries that `StreamDirectoryContents` asked for. A directory that does not exist is an empty stream.',
    parameters: [guid, bool, { stream: arrayOf(FileSystemEntryDto) }],
    parameterNames: ['streamId', 'directoryExists', 'entries'],
  },
  SendFileContentStream: {
    description: 'Sends the bytes that `UploadFileToViewer`, `UploadArchiveToViewer` or `StreamFileContents` asked for.',
    parameters: [guid, { stream: binary() }],
    parameterNames: ['streamId', 'pieces'],
    returns: HubResult,
  },
  SendSubdirectoriesStream: {
    description: 'Sends the directories that `StreamSubdirectories` asked for.',
    parameters: [guid, { stream: arrayOf(FileSystemEntryDto) }],
    parameterNames: ['streamId', 'entries'],
  },
});
