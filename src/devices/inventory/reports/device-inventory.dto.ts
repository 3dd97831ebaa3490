import { EnumName, namesOf } from '../../../platform/http/binding/enum-fields.js';
import { Bool, Double, Guid, Instant, Int, ListOf, Nested, Text } from '../../../platform/http/binding/fields.js';
import { DeviceActivityKind } from '../../device-activity/device-activity-kinds.js';

const UNKNOWN = 'empty if the agent cannot read it.';

export class MemorySlotResponseDto {
  @Text('Name of the slot.', { example: 'DIMM A1' }) name: string;
  @Double('Size in GiB; 0 for an empty slot.', { example: 16 }) size: number;
  @Text(`Type of the memory; ${UNKNOWN}`, { example: 'DDR4' }) type: string;
  @Int('Speed in MT/s; 0 if it is not known.', { example: 3200 }) speed: number;
}

export class InstalledSoftwareResponseDto {
  @Text('Name of the program.', { example: 'firefox-esr' }) name: string;
  @Text(`Version; ${UNKNOWN}`, { example: '128.5.0esr-1' }) version: string;
  @Text(`Publisher; ${UNKNOWN}`, { example: 'Mozilla' }) publisher: string;
}

export class PendingUpdateResponseDto {
  @Text('Name of the update.', { example: 'openssl' }) name: string;
  @Text(`Version; ${UNKNOWN}`, { example: '3.0.15-1' }) version: string;
  @Bool('True for a security update.') isSecurity: boolean;
}

export class DeviceInventoryResponseDto {
  @Instant('Time at which the agent last reported or confirmed the inventory. An unchanged report is recorded twice a day.')
  reportedAt: Date;
  @Text(`Manufacturer of the device; ${UNKNOWN}`, { example: 'LENOVO' }) manufacturer: string;
  @Text(`Model of the device; ${UNKNOWN}`, { example: 'ThinkPad T14 Gen 3' }) model: string;
  @Text(`Serial number of the device; ${UNKNOWN}`, { example: 'PF3KQ7Z1' }) serialNumber: string;
  @Text(`Version of the firmware; ${UNKNOWN}`, { example: 'N3MET17W' }) firmware: string;
  @Text(`Model of the processor; ${UNKNOWN}`, { example: 'Intel Core i7-1260P' }) processor: string;
  @Int('Physical cores of the processors; 0 if they are not known.', { example: 12 }) processorCores: number;
  @Instant('Start of the operating system; null if it is not known.', { nullable: true }) bootedAt: Date | null;
  @ListOf('The slots for memory; empty if they are not known.', () => MemorySlotResponseDto) memorySlots: MemorySlotResponseDto[];
  @Int('Number of installed programs, including those that do not fit into the list.', { example: 1834 }) softwareCount: number;
  @ListOf('The installed programs, at most 5,000; null if the agent cannot read them.', () => InstalledSoftwareResponseDto, {
    nullable: true,
  })
  software: InstalledSoftwareResponseDto[] | null;
  @ListOf('Updates that are not installed, at most 1,000; null if the agent cannot read them.', () => PendingUpdateResponseDto, {
    nullable: true,
  })
  updates: PendingUpdateResponseDto[] | null;
}

export class ReportedInventoryDto {
  @Nested('The inventory; null if the agent has reported none.', () => DeviceInventoryResponseDto, { nullable: true })
  inventory: DeviceInventoryResponseDto | null;
}

const KIND = namesOf('RunningSessionKind', DeviceActivityKind, {
  RemoteControl: 'a remote control session.',
  Terminal: 'a terminal.',
  Vnc: 'a VNC session.',
});

export class RunningSessionDto {
  @Guid('Id of the record of the session.') id: string;
  @EnumName('Kind of the session.', KIND) kind: DeviceActivityKind;
  @Text('Name of the caller.', { example: 'anna@contoso.example' }) principalName: string;
  @Bool('True for a session of the calling user.') isOwn: boolean;
  @Instant('Start of the session.') startedAt: Date;
  @Int('Session of the operating system that is shown; null for everything but remote control.', { nullable: true, example: null })
  desktopSession: number | null;
  @Bool('True if the caller can view the desktop but not control it; null for everything but remote control.', { nullable: true })
  isViewOnly: boolean | null;
  @Bool('True if the session can be ended by this API. Terminals end with their viewer.') canBeEnded: boolean;
}

export class RunningSessionsDto {
  @ListOf('The running sessions, oldest first, at most 100.', () => RunningSessionDto) items: RunningSessionDto[];
}
