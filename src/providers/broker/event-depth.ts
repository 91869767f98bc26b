import type { EventDepth, QueueDepth } from '../../ports/event-bus.ts'

/** Adds up the depths of all receivers. */
export function depthOfAll(receivers: Readonly<Record<string, QueueDepth>>, deadLetters: number): EventDepth {
  const all = Object.values(receivers)
  return {
    events: all.reduce((sum, { events }) => sum + events, 0),
    parked: all.reduce((sum, { parked }) => sum + parked, 0),
    oldestAgeMs: Math.max(0, ...all.map(({ oldestAgeMs }) => oldestAgeMs)),
    receivers,
    deadLetters,
  }
}
