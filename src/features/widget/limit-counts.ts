/** What a visitor may use only a part of: times held at once and booked in a day, with one widget key and from one address. */
export const bookingLimits = ['held-per-key', 'held-per-key-and-day', 'held-per-address', 'booked-per-key', 'booked-per-address'] as const
export type BookingLimit = (typeof bookingLimits)[number]

/** For the metrics of this process: never whose limit it was. */
export type LimitCounts = ReturnType<typeof createLimitCounts>

export function createLimitCounts() {
  const counts = new Map(bookingLimits.map((limit) => [limit, { refused: 0, highestPercent: 0 }]))
  const of = (limit: BookingLimit) => counts.get(limit) ?? { refused: 0, highestPercent: 0 }
  return {
    /** `used` of `allowed`, with this request; more than allowed is refused. */
    note(limit: BookingLimit, { used, allowed }: { readonly used: number; readonly allowed: number }): void {
      const { refused, highestPercent } = of(limit)
      const percent = Math.min(100, Math.round((100 * used) / allowed))
      counts.set(limit, { refused: refused + (used > allowed ? 1 : 0), highestPercent: Math.max(highestPercent, percent) })
    },
    refused: (limit: BookingLimit): number => of(limit).refused,
    /** The highest part of the limit that somebody has used since the last reading, in percent. */
    readHighestPercent(limit: BookingLimit): number {
      const { refused, highestPercent } = of(limit)
      counts.set(limit, { refused, highestPercent: 0 })
      return highestPercent
    },
  }
}
