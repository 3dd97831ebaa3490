/**
 * The next moment after `now` at a time of day, in the local time of the process. A time that is left out when clocks go forward comes
 * as much later, and one that comes twice when they go back is the first of the two: there is one in each day.
 * @param at minutes after midnight
 */
export function nextRunAt(now: Date, at: number): Date {
  const today = onDayOf(now, 0, at);
  return today > now ? today : onDayOf(now, 1, at);
}

/** The last moment at a time of day, `now` at the latest. */
export function lastRunAt(now: Date, at: number): Date {
  const today = onDayOf(now, 0, at);
  return today > now ? onDayOf(now, -1, at) : today;
}

function onDayOf(now: Date, daysLater: number, at: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater, 0, at);
}
