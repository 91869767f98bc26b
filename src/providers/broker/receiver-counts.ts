type Count = { readonly events: number; readonly parked: number }

/** How many events wait for each receiver; loaded once, then updated with each change. */
export function createReceiverCounts(load: () => readonly Readonly<Record<string, unknown>>[]) {
  const counts = new Map<string, Count>()
  const of = (receiver: string): Count => counts.get(receiver) ?? { events: 0, parked: 0 }
  const reload = (): void => {
    counts.clear()
    for (const row of load()) counts.set(String(row['receiver']), { events: Number(row['events']), parked: Number(row['parked']) })
  }
  reload()
  return {
    of,
    reload,
    all: () => [...counts],
    change(receiver: string, { events = 0, parked = 0 }: Partial<Count>) {
      const count = of(receiver)
      counts.set(receiver, { events: count.events + events, parked: count.parked + parked })
    },
  }
}
