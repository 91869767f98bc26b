import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { newId } from '../../../src/kernel/ids.ts'

/** Where a request of a consumer can be held: before the answer to each request, and after a write was made but before its answer. */
export const steps = ['activity', 'model', 'write', 'written'] as const
export type Step = (typeof steps)[number]

export type HeldStep = { readonly isReached: () => boolean; readonly release: () => void }

export type Partners = AsyncDisposable & {
  /** The consumers append their own name, and the step. */
  readonly url: string
  /** What was written of each lead. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  /** Holds the requests of the consumer that reach the step from now on, until they are released. */
  holdNext(consumer: string, step: Step): HeldStep
}

const writeSchema = z.object({ leadId: z.string(), summary: z.string() })

/** Stands in for the platform and the model. */
export async function startPartners(): Promise<Partners> {
  const texts = new Map<string, string[]>()
  const holds = new Map<string, { isReached: boolean; readonly released: Promise<void> }>()
  const pass = async (consumer: string, step: string): Promise<void> => {
    const hold = holds.get(`${consumer} ${step}`)
    if (!hold) return
    hold.isReached = true
    await hold.released
  }
  const answer = async (consumer: string, step: string, body: string): Promise<unknown> => {
    await pass(consumer, step)
    await delay(40 + Math.random() * 60)
    if (step === 'model') return { summary: `Said ${newId()}`, suggestedAction: 'CALL_BACK', reason: 'Because.', callBackAt: null }
    if (step !== 'write') return {}
    const { leadId, summary } = writeSchema.parse(JSON.parse(body))
    texts.set(leadId, [...(texts.get(leadId) ?? []), summary])
    await pass(consumer, 'written')
    return {}
  }
  const server = createServer(async (request, response) => {
    const [, consumer = '', step = ''] = (request.url ?? '').split('/')
    // Null if the consumer was killed before it had sent its request.
    const body = await text(request).catch(() => null)
    response.end(body === null ? '' : JSON.stringify(await answer(consumer, step, body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    texts,
    holdNext(consumer, step) {
      const key = `${consumer} ${step}`
      const { promise: released, resolve } = Promise.withResolvers<void>()
      const hold = { isReached: false, released }
      holds.set(key, hold)
      return {
        isReached: () => hold.isReached,
        release() {
          holds.delete(key)
          resolve()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
