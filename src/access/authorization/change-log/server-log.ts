/** The id of the log of the server where logs have one: among chains, subjects and names. Other logs have the id of their tenant. */
export const SERVER_LOG = '00000000-0000-0000-0000-000000000000';
