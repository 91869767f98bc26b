import { z } from 'zod'
import { eventSchemas, type Topic } from '../../ports/event-catalogue.ts'

/** What we tell the world, as AsyncAPI 3: one channel per topic, made from the schemas that the events are checked with. */
export function createAsyncApi(): Readonly<Record<string, unknown>> {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Call-center sidecar: events',
      version: '1.0.0',
      description:
        'Told at least once, in order per key. Events carry ids, never names, numbers or transcripts. Fields may be added under the same version.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      topics.map((topic) => [nameOf(topic), { address: topic, messages: { [nameOf(topic)]: ref('messages', topic) } }]),
    ),
    operations: Object.fromEntries(
      topics.map((topic) => [
        `tell${nameOf(topic)}`,
        { action: 'send', channel: { $ref: `#/channels/${nameOf(topic)}` }, summary: told[topic].summary },
      ]),
    ),
    components: { messages: Object.fromEntries(topics.map((topic) => [nameOf(topic), messageOf(topic)])) },
  }
}

const told: Readonly<Record<Topic, { readonly summary: string; readonly key: string }>> = {
  'call.completed': { summary: 'A call has ended and has its disposition', key: 'ucid' },
  'call.missed': { summary: 'An inbound call that nobody took', key: 'ucid' },
  'agent.state': { summary: 'An agent stands elsewhere than before', key: 'agentId' },
}
const topics: readonly Topic[] = ['call.completed', 'call.missed', 'agent.state']

function messageOf(topic: Topic) {
  return {
    name: topic,
    summary: told[topic].summary,
    headers: z.toJSONSchema(headersSchema),
    payload: z.toJSONSchema(eventSchemas[topic]),
    bindings: { kafka: { key: { type: 'string', description: `The event's ${told[topic].key}` }, bindingVersion: '0.5.0' } },
  }
}

const headersSchema = z.object({ 'event-id': z.string(), type: z.string(), version: z.string(), workspace: z.string() })

/** `call.completed` as `CallCompleted`. */
function nameOf(topic: Topic): string {
  return topic.replaceAll(/(?:^|\.)([a-z])/g, (_, deadLetter: string) => deadLetter.toUpperCase())
}

function ref(kind: 'messages', topic: Topic) {
  return { $ref: `#/components/${kind}/${nameOf(topic)}` }
}
