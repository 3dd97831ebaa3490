import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { requireGoodPassword } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceOf } from '../../access/authentication/passwords/password-source.js';
import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import {
  findPreset,
  noSuchPreset,
  SELF_SERVICE,
  type PermissionPreset,
} from '../../access/authorization/permissions/permission-presets.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { requirePresetRights } from './preset-authority.js';
import { isEmailAddress } from './user-name.js';
import type { CreateUserRequestDto, UserResponseDto } from './user.dto.js';
import type { User } from './user.entity.js';
import { UsersService } from './users.service.js';

const NAME_TAKEN = 'A user with this name or e-mail address already exists.';

/** Creates users of a tenant, each with a first password and with presets that the caller may grant. */
@Injectable()
export class UserCreation {
  private onCreated: (context: TenantContext, user: User) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly users: UsersService,
    private readonly authorization: AuthorizationService,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Registers the step after the creation of a user by another user, after the transaction. */
  afterCreation(follow: (context: TenantContext, user: User) => Promise<void>): void {
    this.onCreated = follow;
  }

  /**
   * Creates a user with the Self Service permissions and the presets, each of which the caller must be allowed to
   * grant. 400 for an invalid name, address or password, and for a name that is taken.
   */
  async create(context: TenantContext, request: CreateUserRequestDto): Promise<UserResponseDto> {
    const email = emailOf(request);
    const presets = (request.presetNames ?? []).map((name) => {
      const preset = findPreset(name);
      if (preset === undefined) throw invalidField('presetNames', noSuchPreset(name));
      return preset;
    });
    if (request.password !== null) await requireGoodPassword('password', request.password);
    await this.requireRights(context, presets);
    const nameTaken = invalidField(request.email === null ? 'userName' : 'email', NAME_TAKEN);
    // Asked again when the user is stored: this saves hashing for nothing.
    if (await this.users.isTaken(context.manager, email)) throw nameTaken;
    const passwordHash = request.password === null ? null : await this.hasher.hash(passwordSourceOf(context.tenantId), request.password);
    const user = await this.unitOfWork.run(context, async (tx) => {
      await this.requireRights(tx, presets);
      const added = await this.users.add(tx, { email, passwordHash, presets });
      if (added === null) throw nameTaken;
      return added;
    });
    await this.onCreated(context, user);
    const permissions = new Set([SELF_SERVICE, ...presets].flatMap((preset) => preset.permissions.map(({ name }) => name)));
    const { id, userName, createdAt } = user;
    return { id, userName, email, createdAt, permissions: [...permissions].sort(), displayName: null };
  }

  /** Asked twice: before a password is hashed, which takes long, and in the transaction. */
  private requireRights(context: TenantContext, presets: readonly PermissionPreset[]): Promise<void> {
    return requirePresetRights(this.authorization.storedRights(context.manager), context, presets);
  }
}

/** The address, which is also the user name: the e-mail address, or the user name when there is none. */
function emailOf({ userName, email }: Pick<CreateUserRequestDto, 'userName' | 'email'>): string {
  const [field, value] = email === null || email.trim() === '' ? ['userName', userName.trim()] : ['email', email.trim()];
  if (!isEmailAddress(value)) throw invalidField(field, `${field} must be an e-mail address of letters, digits and - . _ @ +.`);
  return value;
}
