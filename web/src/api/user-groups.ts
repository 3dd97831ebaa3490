export { type Member, type UserGroup, userGroupQuery, userGroupsQuery } from '../access/groups.js';
