import { WebSocket } from 'ws'
import { z } from 'zod'

/** What an agent's desk follows, over one web socket as the console does. */
const subscriptions = [
  'subscription { callEvents { kind call { ucid phase phoneNumber direction startedAt answeredAt campaignName agentId } } }',
  'subscription { agentStates { id state reason since } }',
  'subscription { agentNoticeEvents { id } }',
]

export type AgentStream = {
  readonly url: string
  readonly token: string
  /** Receives the UCID of each event of a call. */
  onCall: (ucid: string) => void
  leave(): void
}

const callSchema = z.object({
  type: z.literal('next'),
  payload: z.object({ data: z.object({ callEvents: z.object({ call: z.object({ ucid: z.string() }) }) }) }),
})

/** Resolves when the first state of the agent has come or, for one without a state, when the provider's answer to the subscription is due. */
export async function openStream(url: string, token: string): Promise<AgentStream> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const stream: AgentStream = { url, token, onCall: () => undefined, leave: () => socket.close() }
  const { promise: acknowledged, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${reason.toString()}`)))
  socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })))
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (text.includes('"connection_ack"')) return resolve()
    if (text.includes('"ping"')) return socket.send('{"type":"pong"}')
    if (text.includes('"errors"') || text.includes('"type":"error"')) throw new Error(text)
    if (text.includes('"callEvents"')) stream.onCall(callSchema.parse(JSON.parse(text)).payload.data.callEvents.call.ucid)
  })
  await acknowledged
  subscriptions.forEach((query, id) => socket.send(JSON.stringify({ id: String(id), type: 'subscribe', payload: { query } })))
  return stream
}
