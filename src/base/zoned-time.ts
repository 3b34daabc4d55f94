/** Returns a time as the clocks of a time zone show it, with the name of the zone: `2026-01-31 02:30 Europe/Berlin`. */
export function zonedTime(iso: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(iso))
  return `${time} ${timeZone}`
}
