/** Hours until the next nightly backup: more than a run of all tests takes. */
const HOURS = 12;

/** Configuration in which no nightly backup begins during a test, at whatever time of day the tests run. */
export const BACKUP_FAR_AWAY = { Service_Backup__At: new Date(Date.now() + HOURS * 3_600_000).toTimeString().slice(0, 5) };
