import type { CreateDeviceRequestDto } from '#libs/contracts';

import type { DeviceResource, Resource, RuleSet } from '../../../access/authorization/evaluation/rules.js';
import { Permission } from '../../../access/authorization/permissions/permission.js';
import { forbidden, invalid, type DomainError } from '../../../platform/common/errors/errors.js';
import type { ExistingDevice } from './registration.repository.js';

/** Effects of a registration beyond adding a new device, for which a key is enough. The key's creator must be allowed each of these. */
export interface RegistrationNeeds {
  /** Registers a known device again, or one that was deleted. */
  readonly isAgain: boolean;
  /** Adds a known device to a customer. */
  readonly addsToCustomer: boolean;
  readonly choosesTags: boolean;
}

/**
 * Returns the needs of a registration with a key of the tenant; `wasDeleted` says that the id was a device's before. 403 for a device of
 * another tenant, and for one that has another customer.
 */
export function needsOf(
  tenantId: string,
  existing: ExistingDevice | null,
  wasDeleted: boolean,
  { tagIds, customerId }: Pick<CreateDeviceRequestDto, 'tagIds' | 'customerId'>,
): RegistrationNeeds {
  if (existing !== null && existing.tenantId !== tenantId) throw forbidden('The device is registered elsewhere.');
  const addsToCustomer = existing !== null && customerId !== undefined && existing.customerId !== customerId;
  if (addsToCustomer && existing.customerId !== null) throw forbidden('The device already belongs to another customer.');
  const choosesTags = tagIds !== null && (tagIds.length > 0 || existing?.isTagged === true);
  return { isAgain: existing !== null || wasDeleted, addsToCustomer, choosesTags };
}

/** Checks that the key alone is enough. */
export function needsNothing({ isAgain, choosesTags }: RegistrationNeeds): boolean {
  return !isAgain && !choosesTags;
}

/** 403 unless the rules of the key's creator allow the registration's effects on the device. */
export function requireAllowed(needs: RegistrationNeeds, rules: RuleSet, device: DeviceResource): void {
  if (needs.isAgain && !rules.decide(Permission.AgentInstall, device).allowed) {
    throw forbidden('The creator of the installer key may not install the agent on this device again.');
  }
  if (needs.addsToCustomer && !mayAddToCustomer(rules, device)) {
    throw forbidden('The creator of the installer key may not add this device to a customer.');
  }
  if (needs.choosesTags && !rules.decide(Permission.DeviceTagsWrite, device).allowed) {
    throw forbidden('The creator of the installer key may not choose the tags of this device.');
  }
}

/** Checks that the rules allow adding a known device to a customer, with the permissions of the customer's own route. */
function mayAddToCustomer(rules: RuleSet, device: DeviceResource): boolean {
  const tenant: Resource = { kind: 'Tenant', tenantId: device.tenantId };
  return rules.decide(Permission.TenantCustomersWrite, tenant).allowed && rules.decide(Permission.DeviceRead, device).allowed;
}

/** One message for everything about keys, creators, customers and tags: different ones would help to guess. */
export function refused(): DomainError {
  return invalid('The device cannot be registered with this installer key.');
}
