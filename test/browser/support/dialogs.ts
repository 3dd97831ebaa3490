/*
 * Every dialog, drawer and sheet of the front end: how a user opens it, or which test opens it where that takes a state of its own.
 */

/** A step of a user. A text is a button; a button without a role stands in an object. */
export type DialogStep =
  | string
  | { readonly key: string }
  | { readonly focus: string }
  | { readonly check: string }
  /** Types into the element that has the focus. */
  | { readonly type: string }
  /** Pastes into the element that has the focus. */
  | { readonly paste: string }
  /** Another program writes into the open file on the device. */
  | { readonly onDevice: string }
  /** Waits until a text is shown. */
  | { readonly text: string | RegExp }
  /** Gives no answer to requests of this path from here on: a dialog that begins its work at once stays open. */
  | { readonly unanswered: string }
  /** Clicks the first element that the selector finds. */
  | { readonly click: string }
  /** Clicks where the first one stands, though another element is over it. */
  | { readonly point: string }
  /** Chooses from the menu of a button. */
  | { readonly menu: string | RegExp; readonly item: string };

export interface DialogPlace {
  /** File below `web/src`, component, and its number among those of the file from the second on. */
  readonly of: string;
  readonly at: string;
  /** User whose window it is; the administrator by default. */
  readonly by?: 'a person with two factors';
  /** The last one opens the dialog. */
  readonly steps: readonly DialogStep[];
  /** Dialogs that are open then. */
  readonly depth?: 2;
  readonly isPhone?: true;
  /** True if its opener is gone when it closes. */
  readonly hasNoOpener?: true;
  /** Steps in the first dialog, which this one replaces: the focus goes back to where the first one was opened. */
  readonly second?: readonly DialogStep[];
  /** Closes the dialog; else Escape does. */
  readonly closes?: readonly DialogStep[];
}

const TERMINAL = '.xterm-helper-textarea';
/** The size of an open terminal. */
const MEASURES = /^\d+×\d+$/;

const row = (item: string): DialogStep => ({ menu: /^Actions for /, item });
const rowOf = (name: string, item: string): DialogStep => ({ menu: `Actions for ${name}`, item });

export const DIALOGS: readonly DialogPlace[] = [
  { of: 'features/structure/StructurePage.tsx FormDialog', at: '/tags', steps: ['Create tag'] },
  { of: 'features/structure/StructurePage.tsx EditDialog', at: '/customers', steps: [row('Edit')] },
  { of: 'features/structure/StructurePage.tsx DeleteDialog', at: '/device-groups', steps: [row('Delete')] },
  { of: 'features/structure/MembersPage.tsx Drawer', at: '/device-groups/$deviceGroupId', steps: ['Show who has access'] },
  {
    of: 'features/structure/MembersPage.tsx Drawer 2',
    at: '/customers/$customerId',
    steps: [{ click: 'main button:has-text("Add devices")' }],
  },
  { of: 'features/user-groups/GroupDialog.tsx FormDialog', at: '/user-groups', steps: ['Create user group'] },
  { of: 'features/user-groups/GroupDialog.tsx EditDialog', at: '/user-groups/$userGroupId', steps: ['Edit'] },
  { of: 'features/user-groups/UserGroupsPage.tsx DeleteDialog', at: '/user-groups', steps: [row('Delete')] },
  { of: 'features/user-groups/Members.tsx Dialog', at: '/user-groups/$userGroupId/members', steps: ['Add members'] },
  { of: 'features/users/CreateUserDialog.tsx Dialog', at: '/users', steps: ['Create user'] },
  { of: 'features/users/InviteDialog.tsx Dialog', at: '/users', steps: ['Invite'] },
  { of: 'features/users/SuspendUser.tsx RevokeDialog', at: '/users/$userId', steps: ['Suspend'] },
  { of: 'features/users/ResetPassword.tsx ActDialog', at: '/users/$userId', steps: ['Reset password'] },
  { of: 'features/users/DeleteUser.tsx DeleteDialog', at: '/users/$userId', steps: ['Delete'] },
  { of: 'features/users/GroupsTab.tsx Dialog', at: '/users/$userId/groups', steps: ['Add to groups'] },
  { of: 'features/users/TokensTab.tsx DeleteDialog', at: '/users/$userId/tokens', steps: [row('Delete')] },
  { of: 'features/users/ResendInvite.tsx RevokeDialog', at: '/invites', steps: [row('Send again')] },
  { of: 'features/users/InviteExpiry.tsx FormDialog', at: '/invites', steps: [row('Change expiry')] },
  { of: 'features/users/WithdrawInvite.tsx RevokeDialog', at: '/invites', steps: [row('Withdraw')] },
  { of: 'features/account/DataPage.tsx DeleteDialog', at: '/account/data', steps: ['Delete account'] },
  { of: 'features/account/SessionsPage.tsx RevokeDialog', at: '/account/sessions', steps: ['End other sessions'] },
  { of: 'features/account/tokens/TokensPage.tsx Dialog', at: '/account/tokens', steps: ['Create token'] },
  { of: 'features/account/tokens/TokensPage.tsx RenameDialog', at: '/account/tokens', steps: [row('Rename')] },
  { of: 'features/account/tokens/TokensPage.tsx DeleteDialog', at: '/account/tokens', steps: [row('Delete')] },
  { of: 'features/account/security/PasswordSection.tsx Dialog', at: '/account/security', steps: ['Change password'] },
  { of: 'features/account/security/TwoFactorSection.tsx Dialog', at: '/account/security', steps: ['Set up authenticator app'] },
  { of: 'features/installer-keys/InstallerKeysPage.tsx RenameDialog', at: '/installer-keys', steps: [row('Rename')] },
  { of: 'features/installer-keys/InstallerKeysPage.tsx DeleteDialog', at: '/installer-keys', steps: [row('Delete')] },
  {
    of: 'features/installer-keys/KeyDrawer.tsx Drawer',
    at: '/installer-keys',
    steps: [{ click: 'main table a[href^="/installer-keys/"]' }],
  },
  { of: 'features/webhooks/WebhookDialogs.tsx FormDialog', at: '/webhooks', steps: ['Create webhook'] },
  { of: 'features/webhooks/WebhookDialogs.tsx EditDialog', at: '/webhooks/$webhookId', steps: ['Edit webhook'] },
  {
    of: 'features/webhooks/WebhookDialogs.tsx RevokeDialog',
    at: '/webhooks/$webhookId',
    steps: [{ menu: 'More actions', item: 'Replace secret' }],
  },
  {
    of: 'features/webhooks/WebhookDialogs.tsx DeleteDialog',
    at: '/webhooks/$webhookId',
    steps: [{ menu: 'More actions', item: 'Delete webhook' }],
  },
  {
    of: 'features/settings/device-fields/FieldDialogs.tsx FormDialog',
    at: '/settings',
    steps: [{ click: 'main button:has-text("Add field")' }],
  },
  { of: 'features/settings/device-fields/FieldDialogs.tsx EditDialog', at: '/settings', steps: [rowOf('Rack', 'Edit')] },
  { of: 'features/settings/device-fields/DeviceFields.tsx DeleteDialog', at: '/settings', steps: [rowOf('Rack', 'Delete')] },
  {
    of: 'features/settings/log-retention/LogRetention.tsx Confirm',
    at: '/settings',
    steps: [{ focus: 'input[name=changeLogDays]' }, { type: '90' }, 'Save retention'],
  },
  {
    of: 'features/change-log/ChangeLogEntries.tsx Drawer',
    at: '/change-log',
    steps: [{ click: 'main ul button[aria-haspopup=dialog]' }],
  },
  { of: 'features/service-accounts/AccountDialog.tsx FormDialog', at: '/service-accounts', steps: ['Create service account'] },
  { of: 'features/service-accounts/AccountDialog.tsx EditDialog', at: '/service-accounts/$serviceAccountId', steps: ['Edit'] },
  { of: 'features/service-accounts/ServiceAccountsPage.tsx DeleteDialog', at: '/service-accounts', steps: [row('Delete')] },
  { of: 'features/service-accounts/Credentials.tsx Dialog', at: '/service-accounts/$serviceAccountId/keys', steps: ['Create key'] },
  { of: 'features/server-administration/CreateTenant.tsx Dialog', at: '/server/tenants', steps: ['Create tenant'] },
  { of: 'features/server-administration/TenantsPage.tsx EditDialog', at: '/server/tenants', steps: [rowOf('Fabrikam', 'Rename')] },
  { of: 'features/server-administration/TenantsPage.tsx DeleteDialog', at: '/server/tenants', steps: [rowOf('Fabrikam', 'Delete')] },
  {
    of: 'features/device/frame/DeviceActions.tsx ActDialog',
    at: '/devices/$deviceId',
    steps: [{ menu: 'More actions', item: 'Restart' }],
  },
  {
    of: 'features/device/frame/DeviceActions.tsx DeleteDialog',
    at: '/devices/$deviceId',
    steps: [{ menu: 'More actions', item: 'Uninstall agent' }],
  },
  {
    of: 'features/device/frame/DeviceActions.tsx DeleteDialog 2',
    at: '/devices/$deviceId',
    steps: [{ menu: 'More actions', item: 'Delete device' }],
  },
  { of: 'features/devices/column-choice/ColumnChooser.tsx Drawer', at: '/devices', steps: ['Columns'] },
  { of: 'features/devices/ConditionDialog.tsx Dialog', at: '/devices', steps: ['Filter'] },
  { of: 'features/devices/views/ViewDialogs.tsx Dialog', at: '/devices', steps: [{ menu: 'More list actions', item: 'Save as view…' }] },
  { of: 'features/devices/FilterSheet.tsx Drawer', at: '/devices', steps: [{ click: 'main button:has-text("Filters")' }], isPhone: true },
  {
    of: 'features/devices/acts/Choice.tsx Dialog',
    at: '/devices',
    steps: [{ key: 'j' }, { key: 'x' }, 'Add tag'],
  },
  {
    of: 'features/devices/acts/Question.tsx Confirm',
    at: '/devices',
    steps: [{ key: 'j' }, { key: 'x' }, 'Restart'],
  },
  { of: 'shell/shortcuts/ShortcutSheet.tsx Dialog', at: '/devices', steps: [{ key: '?' }], hasNoOpener: true },
  { of: 'shell/palette/PaletteSurface.tsx Dialog.Root', at: '/tags', steps: [{ key: 'Control+k' }], hasNoOpener: true },
  { of: 'shell/navigation/BottomBar.tsx Dialog', at: '/tags', steps: ['More'], isPhone: true },
  { of: 'shell/dock/SessionsDialog.tsx Dialog', at: '/tags', steps: ['Sessions'], isPhone: true },
  { of: 'parts/permissions/matrix/MatrixEditor.tsx Dialog', at: '/account/tokens', steps: ['Create token', 'Add scope'], depth: 2 },
  {
    of: 'parts/permissions/matrix/PresetMenu.tsx Dialog',
    at: '/account/tokens',
    steps: ['Create token', { menu: 'Add preset', item: 'Agent Installer' }],
    depth: 2,
  },
  {
    of: 'parts/permissions/matrix/NoteDialog.tsx Dialog',
    at: '/users/$userId/access',
    steps: [{ click: 'main button[title^="Install Agent, "]' }, { key: 'n' }],
  },
  {
    of: 'parts/permissions/matrix/ReviewDialog.tsx Dialog',
    at: '/users/$userId/access',
    steps: [{ click: 'main button[title^="Install Agent, "]' }, 'Review'],
  },
  {
    of: 'features/devices/export/DeviceExport.tsx CsvExport',
    at: '/devices',
    steps: [{ unanswered: '/api/v1/devices/search' }, { menu: 'More list actions', item: 'Export as CSV' }],
  },
  {
    of: 'features/service-accounts/Credentials.tsx SecretDialog',
    at: '/service-accounts/$serviceAccountId/keys',
    steps: ['Create key'],
    second: [{ type: 'Backup' }, { key: 'Enter' }, { text: 'Key created' }],
    closes: [{ check: "I've stored it" }, { click: '[role=dialog] button:has-text("Close"):not([aria-label])' }],
  },
  {
    of: 'features/service-accounts/Credentials.tsx RevokeDialog',
    at: '/service-accounts/$serviceAccountId/keys',
    steps: [row('Revoke')],
  },
  { of: 'features/key-approvals/KeyApprovalsPage.tsx ActDialog', at: '/key-approvals', steps: [row('Approve')] },
  {
    of: 'features/device/files/FileTools.tsx FormDialog',
    at: '/devices/$deviceId/files?path=$folder',
    steps: ['New folder'],
  },
  {
    of: 'features/device/files/RenameFile.tsx FormDialog',
    at: '/devices/$deviceId/files?path=$folder',
    steps: [{ focus: '[role=row]:has-text("note.txt")' }, { key: 'F2' }],
  },
  {
    of: 'features/device/files/DeleteFiles.tsx DeleteDialog',
    at: '/devices/$deviceId/files?path=$folder',
    steps: [{ focus: '[role=row]:has-text("note.txt")' }, { key: 'Delete' }],
  },
  {
    of: 'features/device/files/editor/TextEditor.tsx AskToLeave',
    at: '/devices/$deviceId/files?path=$folder&file=note.txt',
    steps: [{ focus: 'main textarea' }, { type: 'more' }, { text: 'Unsaved' }, 'Back to the folder'],
  },
  {
    of: 'features/device/files/editor/ChangedDialog.tsx Dialog',
    at: '/devices/$deviceId/files?path=$folder&file=note.txt',
    steps: [{ focus: 'main textarea' }, { type: 'more' }, { text: 'Unsaved' }, { onDevice: 'theirs' }, 'Save'],
  },
  {
    of: 'features/account/security/TwoFactorSection.tsx RevokeDialog',
    at: '/account/security',
    by: 'a person with two factors',
    steps: ['Create new recovery codes'],
  },
  {
    of: 'features/account/security/TwoFactorSection.tsx RevokeDialog 2',
    at: '/account/security',
    by: 'a person with two factors',
    steps: ['Turn off'],
  },
  {
    of: 'features/device/terminal/TerminalPanel.tsx Confirm',
    at: '/devices/$deviceId/terminal',
    steps: [{ text: MEASURES }, { focus: TERMINAL }, { paste: 'date\nuptime\n' }],
  },
  {
    of: 'features/device/terminal/TerminalPanel.tsx Confirm 2',
    at: '/devices/$deviceId/terminal',
    steps: [
      { text: MEASURES },
      { focus: TERMINAL },
      // What is typed differs from what it prints.
      { type: String.raw`printf '\e]8;;https://example.org\e\\%s\e]8;;\e\\\n' guide | tr g G` },
      { key: 'Enter' },
      { text: 'Guide' },
      { point: '.xterm-rows :text-is("Guide")' },
    ],
  },
  {
    of: 'features/device/terminal/TerminalPanel.tsx Confirm 3',
    at: '/devices/$deviceId/terminal',
    steps: [{ text: MEASURES }, { click: 'main [role=toolbar] button[aria-label=End]' }],
  },
  {
    of: 'shell/dock/SessionList.tsx Confirm',
    at: '/devices/$deviceId/terminal',
    steps: [{ text: MEASURES }, { click: 'nav a[href="/tags"]' }, { click: 'button[aria-label^="End Terminal"]' }],
  },
  {
    of: 'parts/permissions/matrix/Matrix.tsx AskToLeave',
    at: '/users/$userId/access',
    steps: [{ click: 'main button[title^="Install Agent, "]' }, { click: 'nav a[href="/tags"]' }],
    hasNoOpener: true,
  },
];

/** Dialogs that stand only in a state of their own, with the spec of `test/browser` that opens them. */
export const OPENED_ELSEWHERE: Readonly<Record<string, string>> = {
  // After what was created: they assert the focus, too.
  'features/users/InviteDialog.tsx SecretDialog': 'small-mends',
  'features/account/tokens/TokensPage.tsx SecretDialog': 'small-mends',
  // Where addresses must be confirmed and no mail is sent.
  'features/users/CreateUserDialog.tsx Dialog 2': 'without-mail',
  // After a webhook was created, whose events go nowhere else.
  'features/webhooks/WebhookDialogs.tsx SecretDialog': 'webhooks',
  // With a tenant that has no users.
  'features/server-administration/InviteAdministrator.tsx FormDialog': 'tenants',
  'features/server-administration/AdministratorLink.tsx SecretDialog': 'tenants',
  // With mail switched off, which the shared server has not.
  'features/users/ResendInvite.tsx SecretDialog': 'users',
  'features/users/ResetPassword.tsx SecretDialog': 'users',
  // With a second factor, a passkey or a connected login.
  'features/account/security/TwoFactorSection.tsx SecretDialog': 'account',
  'features/account/security/PasskeysSection.tsx FormDialog': 'passkeys',
  'features/account/security/PasskeysSection.tsx RenameDialog': 'passkeys',
  'features/account/security/PasskeysSection.tsx DeleteDialog': 'passkeys',
  'features/account/security/LoginsSection.tsx RevokeDialog': 'signing-in',
  // After a session has ended, or its proof has become old.
  'features/sign-in/ProofDialog.tsx Dialog': 'signing-in',
  // With a running session, program or transfer.
  'features/device/frame/AliasField.tsx Dialog': 'two-editors',
  'features/device/files/upload/ConflictDialog.tsx Dialog': 'files',
  'features/device/screen/send-files/FileDrop.tsx FormDialog': 'desktop-touch',
  'features/device/inventory/ProgramDrawer.tsx Drawer': 'inventory',
  'features/device/inventory/ConnectedNow.tsx RevokeDialog': 'inventory',
  'features/devices/acts/Outcomes.tsx Dialog': 'devices',
  'features/devices/acts/Question.tsx ConfirmByName': 'devices',
  'features/devices/acts/ReadTargets.tsx Dialog': 'devices',
};
