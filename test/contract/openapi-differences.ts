const DUPLICATES = 'Names and assignments are unique within their scope; a second one is a conflict.';
const NOTHING_PUBLISHED = 'The server may have nothing published.';
const TAG_NAME = 'The length of the column; a longer name would fail later.';
const PROSE = 'The values are an enumeration, which the contract describes in prose.';
const DECIDING = 'The answer names the assignment that allows or denies.';
const MADE_BY = 'What a principal has made is listed by a route of this service.';
const CORRELATION = 'What was done in the session of a logon token is found by the ids of the system that asked for the token.';
const KEY_APPROVAL = 'The new key of a known device can wait for approval; routes of this service read and approve it.';
const NO_TIME_OUT = 'A desktop may need long, so previews have no time-out.';
const NEVER_UNKNOWN = 'Unknown is refused in requests and never answered.';
const NEEDED = 'A sort definition without it is refused. Every text that a caller sends has a limit.';
const BOUNDED = 'Every list and text that a caller sends has a limit.';

/** Preferences that a request omits get their default. These are the members of the class `UserPreferencesDto`. */
const OPTIONAL_PREFERENCES = [
  'autoQualityLowerThresholdMbps is number(double) minimum=0.1',
  'autoQualityMaximum is integer(int32) minimum=2 maximum=100',
  'autoQualityMinimum is integer(int32) minimum=1 maximum=99',
  'autoQualityUpperThresholdMbps is number(double) minimum=0.1',
  'captureCursor is boolean',
  'enableDirectX is boolean',
  'encodingFormat is ImageFormat',
  'hideOfflineDevices is boolean',
  'isAutoQualityEnabled is boolean',
  'isMaxBandwidthEnabled is boolean',
  'keyboardInputMode is KeyboardInputMode',
  'manualQuality is integer(int32) minimum=1 maximum=100',
  'maxBandwidthMbps is number(double) minimum=0.1',
  'notifyUserOnSessionStart is boolean',
  'openDeviceInNewTab is boolean',
  'showOnlyUngroupedDevices is boolean',
  'showOnlyUntaggedDevices is boolean',
  'themeMode is ThemeMode',
  'viewMode is ViewMode',
].map((member): [string, string] => [
  `schema UserPreferencesDto: ${member} instead of ${member.split(' is ')[1]}, required`,
  'An omitted preference stays unchanged, so that front ends of other versions can write their preferences.',
]);

const NOTHING_ASSIGNED = 'A restricted service account to which nothing is assigned is refused everywhere.';
const RESTRICTED_ACCOUNTS = [
  'GET /api/v1/devices',
  'GET /api/v1/devices/key-approvals',
  'GET /api/v1/devices/summary',
  'GET /api/v1/server-alert',
  'GET /api/v1/user-server-settings/decommission-status',
  'GET /api/v1/user-server-settings/file-upload-max-size',
  'POST /api/v1/devices/search',
].map((route): [string, string] => [`${route} answers: 403 is added`, NOTHING_ASSIGNED]);

/** The routes that read files of a device. */
const DEVICE_FILE_ROUTES = [
  'DELETE /api/v1/device-file-system/delete-path/{deviceId}',
  'GET /api/v1/device-file-system/download/{deviceId}',
  'GET /api/v1/device-file-system/logs/{deviceId}',
  'GET /api/v1/device-file-system/logs/{deviceId}/contents',
  'POST /api/v1/device-file-system/contents',
  'POST /api/v1/device-file-system/create-directory/{deviceId}',
  'POST /api/v1/device-file-system/download-archive/{deviceId}',
  'POST /api/v1/device-file-system/path-segments',
  'POST /api/v1/device-file-system/root-drives',
  'POST /api/v1/device-file-system/subdirectories',
  'POST /api/v1/device-file-system/validate-path/{deviceId}',
];
const UPLOAD = 'POST /api/v1/device-file-system/upload/{deviceId}';
const DEVICE_SILENT = 'A device that does not answer in time is a 504.';
const DEVICE_FILES: readonly (readonly [string, string])[] = [
  ...DEVICE_FILE_ROUTES.flatMap((route) => [
    [`${route} answers: 408 is missing`, 'A caller that cancels a call reads no answer.'] as const,
    [`${route} answers: 504 is added`, DEVICE_SILENT] as const,
  ]),
  [`${UPLOAD} answers: 415 is added`, 'Files come as multipart/form-data.'],
  [`${UPLOAD} answers: 503 is added`, 'The server may have no space for a file that waits there.'],
  [`${UPLOAD} answers: 504 is added`, DEVICE_SILENT],
  ...[
    'GET /api/v1/device-file-system/download/{deviceId} query: filePath is string maxLength=32767',
    'GET /api/v1/device-file-system/logs/{deviceId}/contents query: filePath is string maxLength=32767',
    'schema CreateDeviceDirectoryRequestDto: directoryName is string maxLength=1024',
    'schema CreateDeviceDirectoryRequestDto: parentPath is string maxLength=32767',
    'schema DeleteDevicePathRequestDto: filePath is string maxLength=32767',
    'schema DeviceDirectoryContentsRequestDto: directoryPath is string maxLength=32767',
    'schema DevicePathSegmentsRequestDto: targetPath is string maxLength=32767',
    'schema DeviceSubdirectoriesRequestDto: directoryPath is string maxLength=32767',
    'schema DownloadDeviceArchiveRequestDto: archiveFileName is string maxLength=1024',
    'schema ValidateDeviceFilePathRequestDto: directoryPath is string maxLength=32767',
    'schema ValidateDeviceFilePathRequestDto: fileName is string maxLength=1024',
  ].map((text) => [`${text}, required instead of string, required`, BOUNDED] as const),
  [
    'schema DownloadDeviceArchiveRequestDto: targetPaths is list of string minItems=1 maxItems=1000, required instead of list of string, required',
    'An empty archive makes no sense, and every list has a limit.',
  ],
];

const TAGGED_STATE = 'Two editors of one thing do not overwrite each other, if they say which state they change.';
const MALFORMED_HEADER = 'An `If-Match` that cannot be read is refused instead of ignored.';
/** The changes that take `If-Match`. */
const GUARDED_CHANGES = [
  'DELETE /api/v1/customers/{customerId}',
  'DELETE /api/v1/device-groups/{deviceGroupId}',
  'DELETE /api/v1/devices/{deviceId}',
  'DELETE /api/v1/server-service-accounts/{serviceAccountId}',
  'DELETE /api/v1/tags/{tagId}',
  'DELETE /api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}',
  'DELETE /api/v1/tenant-settings/{settingName}',
  'DELETE /api/v1/tenants/{tenantId}',
  'DELETE /api/v1/user-groups/{userGroupId}',
  'DELETE /api/v1/user-storage/{key}',
  'PATCH /api/v1/devices/{deviceId}/alias',
  'POST /api/v1/server-alert',
  'POST /api/v1/tenant-settings',
  'POST /api/v1/user-preferences',
  'POST /api/v1/user-storage',
  'PUT /api/v1/customers/{customerId}',
  'PUT /api/v1/device-groups/{deviceGroupId}',
  'PUT /api/v1/server-service-accounts/{serviceAccountId}',
  'PUT /api/v1/tags/{tagId}',
  'PUT /api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId}',
  'PUT /api/v1/tenant-settings',
  'PUT /api/v1/tenants/{tenantId}',
  'PUT /api/v1/user-groups/{userGroupId}',
  'PUT /api/v1/user-preferences',
].flatMap((route) => [
  [`${route} answers: 412 is added`, TAGGED_STATE] as const,
  [`${route} header: If-Match is added`, TAGGED_STATE] as const,
]);

/** Intended differences between the description and the contract, with their reasons. Remove those that no longer occur. */
export const WANTED_DIFFERENCES: Readonly<Record<string, string>> = {
  'GET /api/v1/effective-permissions/{principalId} query: principalKind is QueriedPrincipalKind, required instead of string, required':
    PROSE,
  'GET /api/v1/effective-permissions/{principalId} query: scopeKind is PermissionScopeKind, required instead of string, required': PROSE,
  'GET /api/v1/authorization-change-logs query: actionType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/authorization-change-logs query: actorType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/authorization-change-logs query: targetType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/authorization-change-logs/server query: actionType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/authorization-change-logs/server query: actorType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/authorization-change-logs/server query: targetType is string maxLength=100 instead of string': BOUNDED,
  'GET /api/v1/desktop-preview/{deviceId}/{targetProcessId} answers: 408 is missing': NO_TIME_OUT,
  'GET /api/v1/desktop-preview/{deviceId}/{targetProcessId} answers: 502 is added':
    'A device that refuses or disconnects is a bad gateway.',
  'GET /api/v1/desktop-preview/{deviceId}/{targetProcessId} answers: 503 is missing': 'A device that refuses is a bad gateway.',
  'GET /api/v1/permission-assignments query: principalKind is PermissionPrincipalKind, required instead of string, required': PROSE,
  'GET /api/v1/version/agent answers: 404 is added': NOTHING_PUBLISHED,
  'GET /api/v1/version/release-notes answers: 404 is added': NOTHING_PUBLISHED,
  'POST /api/v1/device-groups answers: 409 is added': DUPLICATES,
  'POST /api/v1/permission-assignments answers: 409 is added': DUPLICATES,
  'POST /api/v1/permission-assignments/batch answers: 409 is added': DUPLICATES,
  'POST /api/v1/permission-assignments/replace answers: 409 is added': DUPLICATES,
  'POST /api/v1/personal-access-tokens answers: 409 is added': DUPLICATES,
  'POST /api/v1/tags answers: 409 is added': DUPLICATES,
  'POST /api/v1/user-groups answers: 409 is added': DUPLICATES,
  'POST /api/v1/users/{userId}/personal-access-tokens answers: 409 is added': DUPLICATES,
  'PUT /api/v1/device-groups/{deviceGroupId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/permission-assignments/{assignmentId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/personal-access-tokens/{id} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/server-service-accounts/{serviceAccountId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/tags/{tagId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/tenant-service-accounts/{tenantId}/{serviceAccountId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/user-groups/{userGroupId} answers: 409 is added': DUPLICATES,
  'PUT /api/v1/users/{userId}/personal-access-tokens/{tokenId} answers: 409 is added': DUPLICATES,
  'schema AddUserGroupMembersRequestDto: userIds is list of string(uuid) maxItems=1000, required instead of list of string(uuid), required':
    BOUNDED,
  'schema ApplyPermissionPresetsRequestDto: presetNames is list of string minItems=1 maxItems=100, required instead of list of string minItems=1, required':
    BOUNDED,
  'schema ApplyPermissionPresetsRequestDto: replaceExisting is boolean instead of boolean, required':
    'Existing assignments stay unless the caller asks to replace them.',
  'schema AssignCustomerDevicesRequestDto: removeDeviceIds is list of string(uuid) maxItems=1000 instead of list of string(uuid) maxItems=1000, required':
    'It can be omitted when devices are only added.',
  'schema CreateInstallerKeyRequestDto: friendlyName is string or null maxLength=200 instead of string or null':
    'The length of the column; a longer name would fail later.',
  'schema CreateInviteRequestDto: inviteeEmail is string(email) maxLength=256, required instead of string(email), required': BOUNDED,
  'schema CreatePersonalAccessTokenRequestDto: scopes is list of CredentialScopeDto or null maxItems=1000 instead of list of CredentialScopeDto or null':
    BOUNDED,
  'schema CreateUserRequestDto: email is string or null maxLength=256 instead of string or null': BOUNDED,
  'schema CreateUserRequestDto: password is string or null maxLength=100 instead of string or null': BOUNDED,
  'schema CreateUserRequestDto: presetNames is list of string or null maxItems=100 instead of list of string or null': BOUNDED,
  'schema CreateUserRequestDto: userName is string maxLength=256, required instead of string, required': BOUNDED,
  'schema ApproveDeviceKeyRequestDto is added': KEY_APPROVAL,
  'schema DeviceKeyApprovalResponseDto is added': KEY_APPROVAL,
  'schema DecidingAssignmentDto is added': DECIDING,
  'schema CreateLogonTokenForExternalRequestDto: allowedDesktopSessionIds is list of integer(int32) or null minItems=1 maxItems=32 instead of list of integer(int32) or null maxItems=32':
    'An empty list would allow nothing.',
  'schema CreateLogonTokenForExternalRequestDto: userCorrelationId is string minLength=1 maxLength=200, required instead of string maxLength=252, required':
    'The ids of identity providers are not longer, and the user name is not cut.',
  'schema CreateLogonTokenForUserRequestDto: allowedDesktopSessionIds is list of integer(int32) or null minItems=1 maxItems=32 instead of list of integer(int32) or null maxItems=32':
    'An empty list would allow nothing.',
  'schema DeviceColumnFilter: operator is string or null maxLength=1024 instead of string or null': BOUNDED,
  'schema DeviceColumnFilter: propertyName is string or null maxLength=1024 instead of string or null': BOUNDED,
  'schema DeviceColumnFilter: value is string or null maxLength=1024 instead of string or null': BOUNDED,
  'schema DeviceColumnSort: propertyName is string maxLength=1024, required instead of string or null': NEEDED,
  'schema DeviceSearchRequestDto: customerIds is list of string(uuid) or null maxItems=1000 instead of list of string(uuid) or null':
    BOUNDED,
  'schema DeviceSearchRequestDto: deviceGroupIds is list of string(uuid) or null maxItems=1000 instead of list of string(uuid) or null':
    BOUNDED,
  'schema DeviceSearchRequestDto: filterDefinitions is list of DeviceColumnFilter or null maxItems=20 instead of list of DeviceColumnFilter or null':
    BOUNDED,
  'schema DeviceSearchRequestDto: searchText is string or null maxLength=256 instead of string or null': BOUNDED,
  'schema DeviceSearchRequestDto: sortDefinitions is list of DeviceColumnSort or null maxItems=5 instead of list of DeviceColumnSort or null':
    BOUNDED,
  'schema DeviceSearchRequestDto: tagIds is list of string(uuid) or null maxItems=1000 instead of list of string(uuid) or null': BOUNDED,
  'schema EffectivePermissionQueryResponseDto: decidingAssignment is added': DECIDING,
  'schema InstallerKeyType: members is UsageBased,TimeBased,Persistent instead of Unknown,UsageBased,TimeBased,Persistent': NEVER_UNKNOWN,
  'schema MadeThingDto is added': MADE_BY,
  'schema MadeThingsResponseDto is added': MADE_BY,
  'schema PermissionScopeKind: members is Server,Tenant,CustomerTenant,DeviceGroup,Device,UserGroup instead of Unknown,Server,Tenant,CustomerTenant,DeviceGroup,Device,UserGroup':
    NEVER_UNKNOWN,
  'schema QueriedPrincipalKind is added': 'The kinds of principals that can be asked about are not all kinds.',
  'schema PermissionCatalogEntryDto: allowedScopeKinds is list of string, required instead of list of PermissionScopeKind, required':
    'The names are those of the enumeration.',
  'schema RemoveUserGroupMembersRequestDto: userIds is list of string(uuid) maxItems=1000, required instead of list of string(uuid), required':
    BOUNDED,
  'schema ServerAlertRequestDto: message is string maxLength=500, required instead of string, required': BOUNDED,
  'GET /api/v1/authorization-change-logs query: correlationId is added': CORRELATION,
  'GET /api/v1/authorization-change-logs/server query: correlationId is added': CORRELATION,
  'schema AuthorizationChangeLogDto: sessionCorrelationId is added': CORRELATION,
  'schema AuthorizationChangeLogDto: userCorrelationId is added': CORRELATION,
  'schema TagCreateRequestDto: name is string maxLength=50, required instead of string, required': TAG_NAME,
  'schema TagCreateRequestDto: type is TagType instead of TagType, required':
    'A tag without a type is Unknown, the first member of the enumeration.',
  'schema TenantSettingRequestDto: name is string maxLength=100, required instead of string, required': BOUNDED,
  'schema TenantSettingRequestDto: value is string maxLength=100, required instead of string, required': BOUNDED,
  'schema TenantSettingsDto: requireApprovalForNewDeviceKeys is added': KEY_APPROVAL,
  'schema TenantSettingsDto: instanceId is string or null maxLength=100 instead of string or null': BOUNDED,
  'schema UpdateTagRequestDto: name is string maxLength=50, required instead of string, required': TAG_NAME,
  'schema UpdateServiceAccountRequestDto: isEnabled is boolean instead of boolean, required':
    'Only the name is required in a change; an omitted member stays unchanged.',
  'schema UserPreferenceRequestDto: name is string maxLength=100, required instead of string, required': BOUNDED,
  'schema UserPreferenceRequestDto: value is string maxLength=100, required instead of string, required': BOUNDED,
  ...Object.fromEntries(OPTIONAL_PREFERENCES),
  ...Object.fromEntries(RESTRICTED_ACCOUNTS),
  'schema UserPreferencesDto: userDisplayName is string maxLength=50 instead of string maxLength=50 pattern=^[letters,digits,space,_,-]*$, required':
    'The contract describes the pattern in words; the code that reads the text checks the letters.',
  ...Object.fromEntries(DEVICE_FILES),
  ...Object.fromEntries(GUARDED_CHANGES),
  'DELETE /api/v1/devices/{deviceId} answers: 400 is added': MALFORMED_HEADER,
  'DELETE /api/v1/server-service-accounts/{serviceAccountId} answers: 400 is added': MALFORMED_HEADER,
};
