const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A local moment (`2026-11-23T10:00:00+05:30`) as the clinic's calendar and clocks show it: `Mon, 23 Nov 2026, 10:00`. */
export function inWords(localMoment: string): string {
  const [date = '', time = ''] = localMoment.split('T')
  return `${day.format(Date.parse(`${date}T00:00:00Z`))}, ${time.slice(0, 5)}`
}
