const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A local time with an offset (`2026-11-23T10:00:00+05:30`) for people: `Mon, 23 Nov 2026, 10:00`. */
export function formatLocalMoment(localMoment: string): string {
  const [date = '', time = ''] = localMoment.split('T')
  return `${day.format(Date.parse(`${date}T00:00:00Z`))}, ${time.slice(0, 5)}`
}
