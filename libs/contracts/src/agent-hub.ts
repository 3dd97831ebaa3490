import { ChatResponseHubDto } from './dtos/chat.js';
import { DeviceResponseDto, DeviceUpdateRequestDto } from './dtos/devices.js';
import { FileSystemEntryDto, FileUploadHubDto } from './dtos/files.js';
import { TerminalOutputDto } from './dtos/terminal.js';
import { hub } from './hub-method.js';
import { HubResult, hubResultOf } from './hub-result.js';
import { signedDtoOf } from './signed-dto.js';
import { arrayOf } from './wire/composites.js';
import { MAX_IDENTIFIER_LENGTH } from './wire/limits.js';
import { binary, bool, guid, text } from './wire/primitives.js';

/** What an agent may call on the server, at /hubs/agent (specification, part Agent hub). */
export const agentHub = hub({
  UpdateDevice: { parameters: [DeviceUpdateRequestDto], returns: hubResultOf(DeviceResponseDto) },
  UpdateDeviceSigned: { parameters: [signedDtoOf(DeviceUpdateRequestDto)], returns: hubResultOf(DeviceResponseDto) },
  SendChatResponse: { parameters: [ChatResponseHubDto], returns: bool },
  SendTerminalOutputToViewer: { parameters: [text(MAX_IDENTIFIER_LENGTH), TerminalOutputDto] },
  GetFileStreamFromViewer: { parameters: [FileUploadHubDto], returns: { stream: binary() } },
  SendDesktopPreviewStream: { parameters: [guid, { stream: binary() }] },
  SendDirectoryContentsStream: { parameters: [guid, bool, { stream: arrayOf(FileSystemEntryDto) }] },
  SendFileContentStream: { parameters: [guid, { stream: binary() }], returns: HubResult },
  SendSubdirectoriesStream: { parameters: [guid, { stream: arrayOf(FileSystemEntryDto) }] },
});
