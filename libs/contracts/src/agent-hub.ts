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
      'Obsolete form of `UpdateDeviceSigned` without a signature. It is refused with `Device requires signed updates.` as soon as the device has a stored key.',
    parameters: [DeviceUpdateRequestDto],
    parameterNames: ['request'],
    returns: hubResultOf(DeviceResponseDto),
  },
  UpdateDeviceSigned: {
    description:
      'Reports the state of the device. The first accepted report makes the device online: from then on it is reached through this connection, until another connection has a report accepted. See [Signing of updates](#signing-of-updates).',
    parameters: [signedDtoOf(DeviceUpdateRequestDto)],
    parameterNames: ['request'],
    returns: hubResultOf(DeviceResponseDto),
  },
  OfferFeatures: {
    description:
      'Tells which methods that not every agent has this one serves, by name. It holds for this connection. Agents that never call it are ' +
      'called with none of them; names that the server does not know are ignored.',
    parameters: [arrayOf(text(MAX_IDENTIFIER_LENGTH), MAX_FEATURES)],
    parameterNames: ['features'],
  },
  ReportInventory: {
    description:
      'Reports what the device is made of and what is installed on it. The agent first sends the hash alone; the value says whether the server wants the inventory, and only then the agent sends it. Agents that do not call it are served as ever, and an agent whose server does not know the method asks no more on that connection.',
    parameters: [InventoryReportDto],
    parameterNames: ['report'],
    returns: hubResultOf(bool),
  },
  SendChatResponse: {
    description:
      'Passes the answer of the person at the device on to the viewer. True when the viewer took it. When the viewer has gone or has ended the conversation, the agent is told to close it.',
    parameters: [ChatResponseHubDto],
    parameterNames: ['response'],
    returns: bool,
  },
  SendTerminalOutputToViewer: {
    description:
      'Passes output of a terminal on to the viewer that opened the terminal. It is dropped when the connection does not speak for a device, when the viewer has gone, has closed the terminal or has lost the permission. A terminal whose output is dropped for a minute is closed. Answers when the viewer has room for more: an agent that waits for the answer pauses this terminal and no other. A terminal of which 1 MiB of output waits is closed.',
    parameters: [text(MAX_IDENTIFIER_LENGTH), TerminalOutputDto],
    parameterNames: ['viewerConnectionId', 'output'],
  },
  GetFileStreamFromViewer: {
    description:
      'Fetches the bytes of a file that `DownloadFileFromViewer` announced. They can be fetched once, by the agent that was asked. An error that contains `canceled by client` means that the viewer has stopped the upload.',
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
