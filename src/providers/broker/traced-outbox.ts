import { activeTraceparent } from '../../kernel/tracing.ts'
import type { Delivery, Outbox } from '../../ports/outbox.ts'

const suffix = /,"traceparent":"([\da-f-]{55})"\}$/
const suffixLength = ',"traceparent":""}'.length + 55

/**
 * The outbox, which stores with each event the trace that it belongs to, as the last member of its JSON: any outbox can, and an event that is stored
 * now can be delivered by a version that knows no traces. Who delivers it gets the event without it.
 */
export function withTraceparents(outbox: Outbox): Outbox {
  return {
    ...outbox,
    add({ traceparent = activeTraceparent(), ...event }) {
      const body =
        traceparent === null || !event.body.endsWith('}') ? event.body : `${event.body.slice(0, -1)},"traceparent":"${traceparent}"}`
      return outbox.add({ ...event, body })
    },
    claim: async (claim) => (await outbox.claim(claim)).map(split),
  }
}

function split(delivery: Delivery): Delivery {
  const { body } = delivery
  const found = suffix.exec(body.slice(-suffixLength))
  return found ? { ...delivery, body: `${body.slice(0, -suffixLength)}}`, traceparent: found[1] ?? null } : delivery
}
