import { Body, Post } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { PermissionScopeKind } from '../../access/authorization/permissions/permission.js';
import { invalid, invalidField } from '../../platform/common/errors/errors.js';
import { AS_TEXT } from '../../platform/http/problems/failure-forms.js';
import { internalTwinOf, TwinOf } from '../../system/internal-surface/internal-twin.js';
import { CreateScopedLogonTokenRequestDto, DEFAULT_SESSION_MINUTES, LogonTokenResponseDto } from './logon-token.dto.js';
import { LogonTokensController } from './logon-tokens.controller.js';
import { devicePermission } from './token-permissions.js';

export class LogonTokensInternalController extends internalTwinOf(LogonTokensController, 'api/logon-tokens', {}) {
  /** For the calling user, with its permissions as scopes instead of names. */
  @TwinOf(LogonTokensController, 'forUser', { failures: { 400: AS_TEXT } })
  @Post()
  forCaller(@Context() context: TenantContext, @Body() body: CreateScopedLogonTokenRequestDto): Promise<LogonTokenResponseDto> {
    const { principal, tenantId } = context;
    if (principal.type !== 'User') throw invalid('A logon token signs its creator in, which a service account cannot do.');
    const { deviceId, expirationMinutes } = body;
    return this.forUser(context, {
      deviceId,
      tenantId,
      userId: principal.id,
      expirationMinutes,
      permissions: permissionsOn(body),
      sessionCorrelationId: null,
      allowedDesktopSessionIds: null,
      sessionExpirationMinutes: DEFAULT_SESSION_MINUTES,
    });
  }
}

/** The names of the permissions. Their scope can be no other than the device of the token. */
function permissionsOn({ deviceId, scopes }: CreateScopedLogonTokenRequestDto): string[] {
  return (scopes ?? []).map(({ permissionName, scopeKind, scopeId }, at) => {
    if (scopeKind !== PermissionScopeKind.Device) throw invalidField(`scopes[${at}].scopeKind`, 'scopeKind must be Device.');
    if (scopeId !== null && scopeId !== deviceId) throw invalidField(`scopes[${at}].scopeId`, 'scopeId must be the device of the token.');
    if (devicePermission(permissionName) !== undefined) return permissionName;
    throw invalidField(`scopes[${at}].permissionName`, 'permissionName must be the name of a device permission.');
  });
}
