import { z } from 'zod'
import type { BreakingChange } from './change.ts'
import { type JsonChange, jsonSchemaChanges } from './json-schema-changes.ts'

const documentSchema = z.looseObject({
  channels: z.record(z.string(), z.looseObject({ address: z.string() })),
  components: z.looseObject({
    messages: z.record(z.string(), z.looseObject({ headers: z.unknown(), payload: z.unknown(), bindings: z.unknown().optional() })),
  }),
})

/** What breaks consumers of the events: everything but a new field or topic. */
export function asyncApiChanges(before: unknown, after: unknown): readonly BreakingChange[] {
  const [old, current] = [documentSchema.parse(before), documentSchema.parse(after)]
  return Object.entries(old.channels)
    .flatMap(([name, { address }]): readonly JsonChange[] => {
      const at = [address]
      const [former, now] = [old.components.messages[name], current.components.messages[name]]
      if (current.channels[name]?.address !== address || !former || !now) return [{ at, what: 'it was removed' }]
      const compared = (part: 'headers' | 'payload') =>
        jsonSchemaChanges(
          { before: former[part], after: now[part], at },
          { direction: 'event', named: { before: {}, after: {} }, seen: new Set() },
        )
      const key = JSON.stringify(former.bindings) === JSON.stringify(now.bindings) ? [] : [{ at, what: 'its key was changed' }]
      return [...key, ...compared('headers'), ...compared('payload')]
    })
    .map(({ at, what }) => ({ contract: 'events', name: at.join('.'), within: at.slice(0, 1), message: what }))
}
