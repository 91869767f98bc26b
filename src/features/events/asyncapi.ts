import { z } from 'zod'
import { keysOf } from '../../kernel/typed-keys.ts'
import { eventSchemas, type Topic } from '../../ports/event-catalogue.ts'

/** Describes the published events as AsyncAPI 3: one channel per topic, with the schemas that the events are validated with. */
export function createAsyncApi(): Readonly<Record<string, unknown>> {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Call-center sidecar: events',
      version: '1.0.0',
      description:
        'Delivered at least once, in order per key. Events carry ids, never names, phone numbers or transcripts. The same version may get additional fields.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      topics.map((topic) => [nameOf(topic), { address: topic, messages: { [nameOf(topic)]: ref('messages', topic) } }]),
    ),
    operations: Object.fromEntries(
      topics.map((topic) => [
        `send${nameOf(topic)}`,
        { action: 'send', channel: { $ref: `#/channels/${nameOf(topic)}` }, summary: descriptions[topic].summary },
      ]),
    ),
    components: { messages: Object.fromEntries(topics.map((topic) => [nameOf(topic), messageOf(topic)])) },
  }
}

const descriptions: Readonly<Record<Topic, { readonly summary: string; readonly key: string }>> = {
  'call.completed': { summary: 'A call has its disposition, or a correction of it', key: 'ucid' },
  'call.missed': { summary: 'Nobody answered an inbound call', key: 'ucid' },
  'call.transferred': { summary: 'An agent has left a call to a third party, with whom the customer goes on talking', key: 'ucid' },
  'call.recorded': { summary: 'The recording of an answered call is available', key: 'ucid' },
  'call.analysed': { summary: 'The recording of a call was analysed without a click', key: 'ucid' },
  'agent.state': { summary: "An agent's state has changed", key: 'agentId' },
}
const topics = keysOf(eventSchemas)

function messageOf(topic: Topic) {
  const { summary, key } = descriptions[topic]
  return {
    name: topic,
    summary,
    headers: z.toJSONSchema(headersSchema),
    payload: z.toJSONSchema(eventSchemas[topic]),
    bindings: { kafka: { key: { type: 'string', description: `The event's ${key}` }, bindingVersion: '0.5.0' } },
  }
}

const headersSchema = z.object({ 'event-id': z.string(), type: z.string(), version: z.string(), workspace: z.string() })

/** `CallCompleted` for `call.completed`. */
function nameOf(topic: Topic): string {
  return topic.replaceAll(/(?:^|\.)([a-z])/g, (_, initial: string) => initial.toUpperCase())
}

function ref(kind: 'messages', topic: Topic) {
  return { $ref: `#/components/${kind}/${nameOf(topic)}` }
}
