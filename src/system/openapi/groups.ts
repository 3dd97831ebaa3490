/** A group of operations in the reference. */
export interface Group {
  /** The tag of the operations. */
  readonly name: string;
  /** One sentence about the operations. */
  readonly description: string;
}

/** Every group in reading order: devices, their organization, their access, the server. */
export const GROUPS: readonly Group[] = [
  { name: 'Devices', description: 'Find devices, read what they report, name and delete them, and list their desktop sessions.' },
  { name: 'DeviceFileSystem', description: 'Browse, transfer and delete files on a device that is online, and read the logs of its agent.' },
  { name: 'DesktopPreview', description: 'Get a picture of a desktop of a device.' },
  { name: 'DeviceGroups', description: 'Collect devices in groups, for searching and for granting permissions on all of them.' },
  { name: 'Customers', description: 'Say which customer a device belongs to; permissions can be granted on the devices of a customer.' },
  { name: 'Tags', description: 'Manage the tags of a tenant, which label devices for searching.' },
  { name: 'DeviceTags', description: 'Add tags to devices and remove them.' },
  { name: 'InstallerKeys', description: 'Create the keys with which agents register new devices, and see what they were used for.' },
  { name: 'DeploymentOptions', description: 'Read what a deployment script needs to install agents for a tenant.' },
  { name: 'LogonTokens', description: 'Create links that open the remote access page of one device without a sign-in.' },
  { name: 'Users', description: 'Create and delete users, reset their passwords, and manage their personal access tokens.' },
  { name: 'Invites', description: 'Invite people to a tenant by e-mail.' },
  { name: 'UserGroups', description: 'Collect users in groups; the permissions of a group hold for each member.' },
  { name: 'PersonalAccessTokens', description: 'Manage your own tokens, which act as you in scripts and integrations.' },
  { name: 'TenantServiceAccounts', description: 'Manage the accounts and API keys of integrations that work within one tenant.' },
  { name: 'ServerServiceAccounts', description: 'Manage the accounts and API keys of integrations that work across tenants.' },
  { name: 'PermissionAssignments', description: 'Grant and deny permissions to users, user groups, service accounts and tokens.' },
  { name: 'EffectivePermissions', description: 'Ask whether a principal may do something, and which assignment decides it.' },
  { name: 'AuthorizationChangeLogs', description: 'Read who changed what about accounts, permissions and devices.' },
  { name: 'TenantSettings', description: 'Read and change the settings that hold for everyone in a tenant.' },
  { name: 'UserPreferences', description: 'Read and change your own preferences.' },
  { name: 'EffectiveUserPreferences', description: 'Read the preferences that hold for you after the settings of the tenant.' },
  { name: 'UserStorage', description: 'Keep small texts of your own on the server, by key.' },
  { name: 'Tenants', description: 'Create, rename and delete tenants.' },
  { name: 'ServerAlert', description: 'Show a message to everyone who uses the web front end.' },
  { name: 'ServerStats', description: 'Read how many tenants, users and agents the server has.' },
  { name: 'ServerLogs', description: 'Find the telemetry dashboard of the server.' },
  { name: 'TestEmail', description: 'Check that the server can send mail.' },
  { name: 'PublicServerSettings', description: 'Read the settings of the server that clients need before the sign-in.' },
  { name: 'UserServerSettings', description: 'Read what signed-in clients must know of the server.' },
  { name: 'Version', description: 'Read the versions of the server and of the agent that it hands out.' },
  { name: 'AgentDevices', description: 'Registration of devices by the agents that run on them.' },
  { name: 'AgentUpdates', description: 'Updates of agents, which look for them here.' },
  { name: 'Auth', description: 'Sign in for bearer tokens, and look after the account that is signed in.' },
  { name: 'Invitations', description: 'Accept an invite.' },
  { name: 'Caller', description: 'Ask who the caller is and what it may do.' },
  { name: 'HeldPermissions', description: 'Read what a principal may do, with everything that it holds, in one call.' },
  { name: 'PermissionHolders', description: 'Ask who may do something, and which assignment allows it.' },
  { name: 'DeviceActivity', description: 'Read what was done on a device, and by whom.' },
  { name: 'DeviceFiles', description: 'Do with the files of a device what only some agents offer.' },
  { name: 'ChangeLog', description: 'Search who changed what, by everything that a change concerns.' },
  { name: 'ChangeLogHeads', description: 'Keep what proves later that the change log is as it was written.' },
  { name: 'SignIn', description: 'Sign in and out, and prove again who you are.' },
  { name: 'TwoFactor', description: 'Ask for a code of an authenticator app at sign-in.' },
  { name: 'Registration', description: 'Register, read an invite, and confirm e-mail addresses.' },
  { name: 'Passwords', description: 'Change your password, or choose a new one when it is forgotten.' },
  { name: 'Account', description: 'Look after your own account: sessions, profile, e-mail address, personal data.' },
  { name: 'ExternalSignIn', description: 'Sign in with another provider, and connect logins there with your account.' },
  { name: 'Passkeys', description: 'Sign in without a password, and manage the passkeys of your account.' },
  { name: 'UserStanding', description: 'Ask who may sign in and who did, suspend users and let them back in.' },
  { name: 'SecurityLog', description: 'Read who signed in, failed to, and changed how to sign in.' },
  { name: 'LogRetention', description: 'Read and change for how long the logs of a tenant are kept.' },
  { name: 'AgentBundles', description: 'See which agents the server hands out, and have it build more.' },
  { name: 'ServerSettings', description: 'See which options of the server are set, and which are missing.' },
  { name: 'ServerBackups', description: 'See the backups that the server makes by itself, make one, and verify one.' },
  { name: 'ServerHealth', description: 'Examine the server, and read what is wrong and what to do.' },
  { name: 'DeviceFields', description: 'Define fields of your own for the devices of a tenant.' },
  { name: 'DeviceInventory', description: 'Read what agents report of their devices, and who works on these now.' },
  { name: 'DeviceGroupNotes', description: 'Read and change what people write about device groups.' },
  { name: 'KeyCustomers', description: 'Choose the customer that new devices of an installer key get.' },
  { name: 'DeviceNotes', description: 'Read and change what people write about devices: notes, and values of fields.' },
  { name: 'Events', description: 'Read what happens in a tenant, at once or as it happens.' },
  { name: 'Webhooks', description: 'Have the events of a tenant sent to addresses of your own.' },
];

/** The groups with these names in the order of {@link GROUPS}. Unknown ones come last, without a description. */
export function groupsOf(names: ReadonlySet<string>): readonly { readonly name: string; readonly description?: string }[] {
  const known = GROUPS.filter(({ name }) => names.has(name));
  const unknown = [...names].filter((name) => !GROUPS.some((group) => group.name === name)).sort();
  return [...known, ...unknown.map((name) => ({ name }))];
}
