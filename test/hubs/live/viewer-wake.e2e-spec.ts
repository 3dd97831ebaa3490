import { beforeEach, expect, it } from 'vitest';

import { agentClient, viewerHub, type WakeDeviceDto } from '#libs/contracts';

import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import type { Customer } from '../../../src/devices/customers/customer.entity.js';
import type { Device } from '../../../src/devices/devices/device.entity.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { at, createCustomer, createDevice, type Scope } from '../../support/fixtures/factories.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { callerWith, TestViewer } from '../viewer-client.js';

/** The address that agents of these tests connect from. */
const ADDRESS = '127.0.0.1';
const MACS = ['001122334455', 'AABBCCDDEEFF'];

const server = testServer();
const tenant = testTenant(server);
const foreign = testTenant(server);
const keep = stopAfterEach();
let viewer: TestViewer;
/** Requests to each online device, by device id. */
let asked: Map<string, WakeDeviceDto[]>;

beforeEach(async () => {
  asked = new Map();
  const scope: Scope = at.tenant(tenant);
  viewer = keep(await TestViewer.connect(server, (await callerWith(server, tenant, [Permission.DeviceWakeSend], scope)).headers));
});

async function online(customer: Customer, tenantId = tenant.id): Promise<string> {
  const device = await createKeyedDevice(server, { id: tenantId }, { customerId: customer.id });
  const agent = keep(await FakeAgent.online(server, device));
  const requests: WakeDeviceDto[] = [];
  asked.set(device.id, requests);
  agent.on(agentClient.InvokeWakeDevice, (request) => void requests.push(request));
  return device.id;
}

function sleeping(customer: Customer, values: Partial<Device> = {}): Promise<Device> {
  return createDevice(server, { tenantId: tenant.id, customerId: customer.id, publicIpV4: ADDRESS, ...values });
}

async function wake({ id }: Device): Promise<string | null> {
  const answer = await viewer.call(viewerHub.SendWakeDevice2, { deviceId: id, macAddresses: MACS });
  expect(answer).toMatchObject({ isSuccess: true });
  return answer.value;
}

const asks = (id: string): WakeDeviceDto[] => asked.get(id) ?? [];

it('asks the online devices of the same customer behind the same address, and no others', async () => {
  const [customer, other] = [await createCustomer(server, { tenantId: tenant.id }), await createCustomer(server, { tenantId: tenant.id })];
  const device = await sleeping(customer);
  const neighbours = [await online(customer), await online(customer)];
  const strangers = [await online(other), await online(await createCustomer(server, { tenantId: foreign.id }), foreign.id)];
  expect(await wake(device)).toBe('Asked 2 devices to wake it.');
  await eventually('both neighbours are asked', () => neighbours.every((id) => asks(id).length === 1));
  expect(asks(neighbours[0])).toEqual([{ macAddresses: MACS }]);
  expect(strangers.flatMap(asks)).toEqual([]);
});

it('says so when nobody near is online', async () => {
  const customer = await createCustomer(server, { tenantId: tenant.id });
  const device = await sleeping(customer);
  expect(await wake(device)).toBe('No other device of the customer is online behind the same public IP address.');
  await online(customer);
  expect(await wake(device)).toBe('Asked 1 device to wake it.');
});

it('says so when the address of the device is not known', async () => {
  const customer = await createCustomer(server, { tenantId: tenant.id });
  await online(customer);
  expect(await wake(await sleeping(customer, { publicIpV4: '' }))).toBe(
    'The device has no known public IP address, so no device near it can be found.',
  );
});

it('does not ask the device itself', async () => {
  const customer = await createCustomer(server, { tenantId: tenant.id });
  const id = await online(customer);
  expect(await wake({ id } as Device)).toBe('No other device of the customer is online behind the same public IP address.');
  expect(asks(id)).toEqual([]);
});
