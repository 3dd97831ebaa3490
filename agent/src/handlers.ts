import { homedir } from 'node:os';
import { agentHub, hubFailure, hubOk, hubValue, type HubResult } from '#libs/contracts';
import type { AgentHandlers, HubLink } from './connection/hub-link.js';
import type { Chats } from './chat/chats.js';
import type { DataDirectory } from './data-directory.js';
import type { Desktops } from './desktop/desktops.js';
import { piecesOf, Previews } from './desktop/preview.js';
import { messageOf, RefusedError } from './failures.js';
import { createDirectory, deletePath, describePath, validateFilePath } from './files/file-system.js';
import { FIRST_LOOKS } from './files/first-looks.js';
import { directoryContents, inChunks, isDirectory, rootEntry, subdirectories } from './files/listing.js';
import { OwnFiles } from './files/own-files.js';
import { absolutePath } from './files/paths.js';
import { receiveFile } from './files/receiving.js';
import { renameFile } from './files/renaming.js';
import { openArchiveDownload, openDownload, openLogFile, type Outgoing } from './files/sending.js';
import { UnfinishedUploads } from './files/unfinished-uploads.js';
import { readDrives } from './inventory/drives.js';
import { listLogFiles, readableLogFolders } from './logs/log-groups.js';
import type { Log } from './logs/log.js';
import { Completer } from './terminal/completions.js';
import type { RemoteControlSessions } from './remote-control/sessions.js';
import type { TerminalSessions } from './terminal/terminal-sessions.js';
import type { VncSessions } from './vnc.js';
import { wakeDevices } from './wake.js';
import type { PowerStateChangeType } from '#libs/contracts';

/** Services that the handlers of the server's calls use. */
export interface AgentServices {
  readonly link: HubLink;
  readonly log: Log;
  readonly directory: DataDirectory;
  readonly terminals: TerminalSessions;
  readonly desktops: Desktops;
  readonly chats: Chats;
  readonly vnc: VncSessions;
  readonly remoteControl: RemoteControlSessions;
  /** Fires when the agent stops. */
  readonly stopped: AbortSignal;
  sendHeartbeat(): Promise<void>;
  checkForUpdate(): Promise<void>;
  reportInventory(): Promise<HubResult>;
  changePowerState(change: PowerStateChangeType): Promise<void>;
  uninstall(reason: string): Promise<void>;
}

const NO_PERMISSION = 'Desktops of this device need no permission for remote control.';
const UPLOAD_CANCELED = 'The upload was canceled.';
/** The error that the server sends when the viewer has cancelled an upload. */
const CANCELED_BY_CLIENT = /canceled by client/i;

/** Returns a handler for each call of the server. */
export function agentHandlers(services: AgentServices): AgentHandlers {
  const { link, log, directory, terminals, desktops, chats } = services;
  const completer = new Completer();
  const own = new OwnFiles(directory);
  const uploads = new UnfinishedUploads(directory.uploads);
  const previews = new Previews(log, services.stopped);

  /** Answers immediately; the contents follow as a stream. */
  async function send(streamId: string, outgoing: Outgoing): Promise<void> {
    try {
      await link.sendStream(agentHub.SendFileContentStream, [streamId, outgoing.chunks()]);
    } catch (error) {
      log.error(`Sending ${outgoing.response.fileDisplayName} failed.`, error);
    } finally {
      await outgoing.release();
    }
  }

  function sendInBackground(streamId: string, outgoing: Outgoing): void {
    send(streamId, outgoing).catch((error: unknown) => log.error('A file could not be released.', error));
  }

  return {
    // Files
    GetRootDrives: async () => {
      const drives = await readDrives();
      const roots = new Set([
        ...(process.platform === 'win32' ? [] : ['/']),
        ...drives.flatMap(({ rootDirectory }) => rootDirectory ?? []),
      ]);
      return hubValue({ drives: Array.from(roots, rootEntry) });
    },
    StreamDirectoryContents: async (dto) => {
      const path = absolutePath(dto.directoryPath);
      await FIRST_LOOKS.statusAt(path);
      await own.refuseReading(path);
      const entries = inChunks(directoryContents(path));
      await link.sendStream(agentHub.SendDirectoryContentsStream, [dto.streamId, await isDirectory(path), entries]);
      return hubOk();
    },
    StreamSubdirectories: async (dto) => {
      const path = absolutePath(dto.directoryPath);
      await FIRST_LOOKS.statusAt(path);
      await own.refuseReading(path);
      const entries = inChunks(subdirectories(path));
      await link.sendStream(agentHub.SendSubdirectoriesStream, [dto.streamId, entries]);
      return hubOk();
    },
    GetPathSegments: describePath,
    ValidateFilePath: async (dto) => validateFilePath(dto, own),
    CreateDirectory: async (dto) => succeed(createDirectory(dto, own)),
    RenameFile: async (dto) => succeed(renameFile(dto, own)),
    DeleteFile: async (dto) => succeed(deletePath(dto, own)),
    UploadFileToViewer: async (dto) => {
      const outgoing = await openDownload(dto, directory.temporary, own);
      sendInBackground(dto.streamId, outgoing);
      return hubValue(outgoing.response);
    },
    UploadArchiveToViewer: async (dto) => {
      const outgoing = await openArchiveDownload(dto, directory.temporary, own);
      sendInBackground(dto.streamId, outgoing);
      return hubValue(outgoing.response);
    },
    DownloadFileFromViewer: async (dto) => {
      try {
        await receiveFile(dto, { own, uploads }, () => link.openStream(agentHub.GetFileStreamFromViewer, [dto]));
      } catch (error) {
        if (CANCELED_BY_CLIENT.test(messageOf(error))) throw new RefusedError(UPLOAD_CANCELED);
        throw error;
      }
      return hubOk();
    },

    // Logs
    GetLogFiles: async () => hubValue(await listLogFiles(directory)),
    StreamFileContents: async (dto) => {
      sendInBackground(dto.streamId, await openLogFile(dto.filePath, readableLogFolders(directory)));
      return hubOk();
    },

    // Terminal
    CreateTerminalSession: async (terminalId, viewerConnectionId) => succeed(terminals.create(terminalId, viewerConnectionId)),
    CloseTerminalSession: (terminalId) => terminals.close(terminalId),
    ReceiveTerminalInput: async (dto) => succeed(terminals.input(dto)),
    GetPwshCompletions: async (dto) => hubValue(await completer.complete(dto, terminals.directoryOf(dto.terminalId) ?? homedir())),

    // Power, network, the agent itself
    ReceivePowerStateChange: async (change) => services.changePowerState(change),
    InvokeWakeDevice: async (dto) => wakeDevices(dto),
    CreateVncSession: async (dto) => succeed(services.vnc.start(dto)),
    TestVncConnection: async (port) => succeed(services.vnc.test(port)),
    RefreshDeviceInfo: async () => services.sendHeartbeat(),
    ReceiveAgentUpdateTrigger: async () => services.checkForUpdate(),
    RequestInventory: async () => services.reportInventory(),
    UninstallAgent: async (reason) => services.uninstall(reason),
    ReceiveDto: (wrapper) => log.warn(`A wrapped message of type ${wrapper.dtoType} was ignored: this agent knows none.`),

    // Desktops and the people at them
    GetActiveDesktopSessions: async () => desktops.sessions(),
    RequestDesktopPreview: async (dto) => {
      const picture = await previews.take(await desktops.at(dto.targetProcessId));
      await link.sendStream(agentHub.SendDesktopPreviewStream, [dto.streamId, piecesOf(picture)]);
      return hubOk();
    },
    SendChatMessage: async (dto) => succeed(chats.show(dto)),
    CloseChatSession: async (sessionId) => succeed(chats.close(sessionId)),
    CreateRemoteControlSession: async (dto) => succeed(services.remoteControl.start(dto)),
    RequestRemoteControlPermission: () => hubFailure(NO_PERMISSION),
    InvokeCtrlAltDel: () => hubFailure('Ctrl-Alt-Del can be sent to Windows devices with a desktop client only.'),
  };
}

async function succeed(action: Promise<void>): Promise<HubResult> {
  await action;
  return hubOk();
}
