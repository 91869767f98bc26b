/** The longest time that the work of one slice holds the event loop, apart from its last piece. */
const sliceMs = 5

/** In their order. */
const waiting = new Set<() => void>()
let isRunning = false

/**
 * Waits for a place in a slice of the event loop. Work that one event causes for thousands at once (an update for every open stream) is done
 * in slices of some milliseconds, with everything else in between. One queue for the process, because it has one event loop.
 */
export function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    if (isRunning) return
    isRunning = true
    void runSlices()
  })
}

/** Maps pieces of this many entries, one piece after the other, each but the first in a slice of the event loop. The result has the order of the entries. */
export async function mapInSlices<Entry, Result>(
  entries: readonly Entry[],
  atOnce: number,
  map: (piece: readonly Entry[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let at = 0; at < entries.length; at += atOnce) {
    if (at > 0) await nextSlice()
    results.push(...(await map(entries.slice(at, at + atOnce))))
  }
  return results
}

async function runSlices(): Promise<void> {
  while (waiting.size > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    const endsAt = performance.now() + sliceMs
    for (const begin of waiting) {
      if (performance.now() >= endsAt) break
      waiting.delete(begin)
      begin()
      // After all that this one has to do now: ticks run when the promises' reactions have.
      await new Promise((resolve) => process.nextTick(resolve))
    }
  }
  isRunning = false
}
