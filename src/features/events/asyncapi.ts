import { z } from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { keysOf } from '../../kernel/typed-keys.ts'
import { eventSchemas, keyOf, type Topic } from '../../ports/event-catalogue.ts'
import { eventExamples } from './event-examples.ts'

/** Describes the published events as AsyncAPI 3.1: one channel per topic, with the schemas that the events are validated with. */
export function createAsyncApi() {
  return {
    asyncapi: '3.1.0',
    id: 'urn:call-center-sidecar:events',
    info: {
      title: 'Call-center sidecar: events',
      version: manifest.version,
      description:
        'Delivered at least once, in order per key: recognise repeats by `id`. Events carry ids, never names, phone numbers or transcripts. The same version may get additional fields.',
      contact: { name: 'The operator of this service' },
      license: { name: manifest.license },
      tags: [{ name: 'events', description: 'What is published to the event bus.' }],
    },
    defaultContentType: 'application/json',
    servers,
    channels: Object.fromEntries(topics.map((topic) => [nameOf(topic), channelOf(topic)])),
    operations: Object.fromEntries(topics.map((topic) => [`send${nameOf(topic)}`, operationOf(topic)])),
    components: {
      messages: Object.fromEntries(topics.map((topic) => [nameOf(topic), messageOf(topic)])),
      securitySchemes: {
        plain: { type: 'plain', description: '`KAFKA_SASL_MECHANISM=plain`' },
        scramSha256: { type: 'scramSha256', description: '`KAFKA_SASL_MECHANISM=scram-sha-256`' },
        scramSha512: { type: 'scramSha512', description: '`KAFKA_SASL_MECHANISM=scram-sha-512`' },
      },
    },
  }
}

const broker = { broker: { default: 'localhost:9092', description: 'One of `KAFKA_BROKERS`: ask the operator.' } }
const servers = {
  kafka: {
    host: '{broker}',
    protocol: 'kafka',
    description: 'The brokers of `KAFKA_BROKERS`. Without that setting the events stay in the process.',
    variables: broker,
  },
  secureKafka: {
    host: '{broker}',
    protocol: 'kafka-secure',
    description: 'The same brokers with TLS (`KAFKA_TLS=on`). The operator chooses how clients sign in.',
    variables: broker,
    security: ['plain', 'scramSha256', 'scramSha512'].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  },
}

const summaries: Readonly<Record<Topic, string>> = {
  'call.completed': 'A call has its disposition, or a correction of it',
  'call.missed': 'Nobody answered an inbound call',
  'call.transferred': 'An agent has left a call to a third party, with whom the customer goes on talking',
  'call.recorded': 'The recording of an answered call is available',
  'call.analysed': 'The recording of a call was analysed without a click',
  'agent.state': "An agent's state has changed",
}
const topics = keysOf(eventSchemas)

function channelOf(topic: Topic) {
  return {
    address: topic,
    summary: summaries[topic],
    messages: { [nameOf(topic)]: { $ref: `#/components/messages/${nameOf(topic)}` } },
    bindings: { kafka: { topic, bindingVersion: '0.5.0' } },
  }
}

function operationOf(topic: Topic) {
  const channel = `#/channels/${nameOf(topic)}`
  const messages = [{ $ref: `${channel}/messages/${nameOf(topic)}` }]
  return { action: 'send', channel: { $ref: channel }, summary: summaries[topic], messages }
}

function messageOf(topic: Topic) {
  const payload = eventExamples[topic]
  const headers = { 'event-id': payload.id, type: topic, version: String(payload.version), workspace: payload.workspaceId }
  const keyName = topic === 'agent.state' ? 'agentId' : 'ucid'
  const key = { type: 'string', description: `The event's \`${keyName}\``, examples: [keyOf(payload)] }
  return {
    name: topic,
    title: nameOf(topic),
    summary: summaries[topic],
    contentType: 'application/json',
    headers: jsonSchema(headersSchema),
    payload: jsonSchema(eventSchemas[topic]),
    examples: [{ name: 'published', headers, payload }],
    bindings: { kafka: { key, bindingVersion: '0.5.0' } },
  }
}

const headersSchema = z.object({
  'event-id': z.string().describe("The event's `id`."),
  type: z.string().describe('The topic.'),
  version: z.string().describe("The event's `version`."),
  workspace: z.string().describe("The event's `workspaceId`."),
  receiver: z
    .string()
    .optional()
    .describe('Only in an event that a manager sent again: the one consumer that it is for. Others leave it out.'),
  replay: z.string().optional().describe('Only in an event that a manager sent again: distinguishes it from the earlier delivery.'),
})

/** In the dialect of AsyncAPI. Further fields are allowed, because a minor version may add some. */
function jsonSchema(schema: z.ZodType) {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema: part }) => {
      if (part.format !== undefined) delete part.pattern
      delete part.default
      delete part.additionalProperties
    },
  })
  return made
}

/** `CallCompleted` for `call.completed`. */
function nameOf(topic: Topic): string {
  return topic.replaceAll(/(?:^|\.)([a-z])/g, (_, initial: string) => initial.toUpperCase())
}
