import { WebSocket } from 'ws'
import { z } from 'zod'

const calls = 'subscription { callEvents { kind call { ucid phase phoneNumber direction startedAt answeredAt campaignName agentId } } }'
const states = 'subscription { agentStates { id state reason since } }'
/** What an agent's desk follows. */
export const agentSubscriptions = [calls, states, 'subscription { agentNoticeEvents { id } }']
/** What a manager's wallboard follows. */
export const wallboardSubscriptions = [
  calls,
  states,
  'subscription { supervisionUpdates { at agents { id state since } callsNow { ringing onCall waiting } today { total { calls } } } }',
]

export type AgentStream = {
  readonly url: string
  readonly token: string
  /** Receives the UCID of each event of a call. */
  onCall: (ucid: string) => void
  /** How many subscriptions ended with an error, or had one in an event. */
  errors: number
  leave(): void
}

const callSchema = z.object({
  type: z.literal('next'),
  payload: z.object({ data: z.object({ callEvents: z.object({ call: z.object({ ucid: z.string() }) }) }) }),
})

/** Subscribes over one web socket, as the console does. Resolves when the subscriptions are sent. */
export async function openStream(url: string, token: string, subscriptions: readonly string[]): Promise<AgentStream> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const stream: AgentStream = { url, token, onCall: () => undefined, errors: 0, leave: () => socket.close() }
  const { promise: acknowledged, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${reason.toString()}`)))
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })))
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (text.includes('"connection_ack"')) return resolve()
    if (text.includes('"ping"')) return socket.send('{"type":"pong"}')
    if (text.includes('"errors"') || text.includes('"type":"error"')) return void (stream.errors += 1)
    if (text.includes('"callEvents"')) stream.onCall(callSchema.parse(JSON.parse(text)).payload.data.callEvents.call.ucid)
  })
  await acknowledged
  subscriptions.forEach((query, id) => socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload: { query } })))
  return stream
}
